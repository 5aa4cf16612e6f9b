// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// A computed or a combiner that only its observers know of.
@Suite struct `A derived value that nobody holds` {
  private final class Model {
    let source = Observable(1)
    private(set) var told: [Int] = []

    func watch() -> Subscription {
      let source = source
      return Computed { source.value * 2 }.addObserver(Observer(self) { me, value in me.told.append(value) })
    }
  }

  private let graph = Graph()

  @Test func `is kept by its graph while its observer's owner lives`() {
    var model: Model? = graph.enter { Model() }
    _ = graph.enter { model?.watch() }
    model?.source.value = 2
    #expect(model?.told == [4])
    weak let gone = model
    model = nil
    #expect(gone == nil)
  }

  @Test func `goes by and by when its observer's owner has gone`() {
    for _ in 0..<1_000 {
      graph.enter {
        let model = Model()
        _ = model.watch()
      }
    }
    // A model has a source, and a computed with an observer.
    #expect(graph.memberCount <= 3 * 2 * 16)
  }

  @Test func `is kept no longer than its subscription lasts, give or take a few`() {
    let model = graph.enter { Model() }
    for _ in 0..<1_000 { graph.enter { model.watch().dispose() } }
    #expect(graph.memberCount <= 1 + 3 * 16)
    model.source.value = 2
    #expect(model.told == [])
  }

  @Test func `goes with its observer's subscription, where that has no owner`() {
    let source = graph.enter { Observable(1) }
    var told: [Int] = []
    graph.enter {
      Computed { source.value * 2 }.addObserver(Observer { told.append($0) })
      ObservableCombiner(.every, 0).combine(source).handle { $0 * 3 }.addObserver(Observer { told.append($0) })
    }
    source.value = 2
    #expect(told == [])
    #expect(graph.memberCount == 1)
  }

  @Test func `is kept if it is a combiner, too`() {
    let source = graph.enter { Observable(1) }
    let told = Log<Int>()
    _ = graph.enter {
      ObservableCombiner(.every, 0).combine(source).handle { $0 * 3 }.addObserver(
        Observer(told) { $0.values.append($1) })
    }
    source.value = 2
    #expect(told.values == [6])
    graph.close()
    #expect(graph.memberCount == 1)
  }

  @Test func `may go as the graph forgets it, with all that it kept`() {
    let source = graph.enter { Observable(1) }
    let told = Log<Int>()
    for _ in 0..<100 {
      graph.enter {
        let owner = Model()
        let farewell = Farewell { Computed { source.value }.addObserver(Observer(owner) { _, _ in }) }
        Computed { withExtendedLifetime(farewell) { source.value } }.addObserver(Observer(owner) { _, _ in })
      }
    }
    Computed { source.value * 2 }.addObserver(told.observer).dispose()
    source.value = 2
    #expect(told.values == [])
  }

  @Test func `is over, and fails nobody, when its own owner has gone before that of its observer`() throws {
    let source = graph.enter { Observable(1) }
    let told = Log<Int>()
    graph.enter {
      let owner = Model()
      Computed(owner) { _ in source.value * 2 }.addObserver(Observer(told) { $0.values.append($1) })
    }
    try transaction { source.value = 2 }
    #expect(told.values == [])
  }

  @Test func `goes with its own owner, however long its observer's owner lives`() {
    final class Row {
      let count = Observable(1)
      lazy var doubled = Computed(self) { $0.count.value * 2 }
    }
    let page = graph.enter { Model() }
    for _ in 0..<1_000 { graph.enter { _ = Row().doubled.addObserver(Observer(page) { _, _ in }) } }
    // A row has a count, and a computed with an observer.
    #expect(graph.memberCount <= 1 + 3 * 2 * 16)
  }

  @Test func `fails a reader with an owner of its own, when its own owner has gone`() {
    let page = graph.enter { Model() }
    var row: Model? = graph.enter { Model() }
    let left = graph.enter { Computed(row!) { $0.source.value + page.source.value } }
    let sum = graph.enter { Computed(page) { try left.get() + $0.source.value } }
    let told = Log<Int>()
    sum.addObserver(told.observer, replay: true)
    row = nil
    #expect(throws: ObservableError.self) { try transaction { page.source.value = 2 } }
    #expect(told.values == [3])
  }
}
