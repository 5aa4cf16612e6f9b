// SPDX-License-Identifier: MIT
import Observation
import ObservableCore
import Testing

@Observation.Observable final class Settings {
  var name = "maruko"
  var size = 1
}

@Suite struct `An observable that follows an @Observable model` {
  @Test func `tells within the transaction that changed the model, once`() throws {
    let settings = Settings()
    let name = ObservableCore.Observable(following: { settings.name }, name: "name")
    let shout = Computed { name.value + "!" }
    let told = Log<String>()
    shout.addObserver(told.observer)
    try transaction {
      settings.name = "a"
      settings.name = "b"
      #expect(told.values == [])
    }
    #expect(told.values == ["b!"])
    try transaction { settings.size = 2 }
    try transaction { settings.name = "c" }
    #expect(told.values == ["b!", "c!"])
  }

  @Test func `tells of an observer's change of a model in the same transaction`() throws {
    let settings = Settings()
    let size = ObservableCore.Observable(following: { settings.size })
    let source = ObservableCore.Observable(0)
    let told = Log<Int>()
    source.addObserver(Observer { settings.size = $0 * 10 })
    size.addObserver(told.observer)
    source.value = 4
    #expect(told.values == [40])
  }

  @Test func `tells of a combiner's change of a model in the same transaction, with nobody told before`() {
    let settings = Settings()
    let size = ObservableCore.Observable(following: { settings.size })
    let source = ObservableCore.Observable(0)
    let mirror = ObservableCombiner<Void>(.every)
    mirror.combine(source).handle { settings.size = $0 * 10 }
    let told = Log<Int>()
    size.addObserver(told.observer)
    source.value = 4
    #expect(told.values == [40])
    withExtendedLifetime(mirror) {}
  }

  @Test func `tells of a change outside every transaction in the isolation's next job`() async {
    await Owner().check()
  }

  actor Owner {
    func check() async {
      let settings = Settings()
      let size = ObservableCore.Observable(following: { settings.size })
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      size.addObserver(Observer { continuation.yield($0) })
      settings.size = 7
      #expect(size.value == 1)
      var values = stream.makeAsyncIterator()
      let value = await values.next(isolation: self)
      #expect(value == 7)
      #expect(size.value == 7)
    }
  }

  @Test func `goes when it is dropped, and the model lives on`() throws {
    let settings = Settings()
    weak var gone: ObservableCore.Observable<Int>?
    do {
      let size = ObservableCore.Observable(following: { settings.size })
      gone = size
      try transaction { settings.size = 3 }
      #expect(size.value == 3)
    }
    #expect(gone == nil)
    try transaction { settings.size = 4 }
  }

  @Test func `goes with a model that nobody else has`() {
    weak var gone: Settings?
    do {
      let settings = Settings()
      gone = settings
      let size = ObservableCore.Observable(following: { settings.size })
      #expect(size.value == 1)
    }
    #expect(gone == nil)
  }

  @Test func `lets go of the model when its graph is closed, and keeps its value`() throws {
    let graph = Graph()
    weak var gone: Settings?
    let size = try graph.enter {
      let settings = Settings()
      gone = settings
      let size = ObservableCore.Observable(following: { settings.size })
      try transaction { settings.size = 2 }
      return size
    }
    #expect(gone != nil)
    graph.close()
    #expect((gone == nil, size.value) == (true, 2))
  }

  @Test func `follows on after a transaction that was undone, with its changes of the model`() throws {
    let settings = Settings()
    let size = ObservableCore.Observable(following: { settings.size })
    expectUndone { settings.size = 2 }
    #expect(size.value == 2)
    try transaction { settings.size = 3 }
    #expect(size.value == 3)
  }
}
