// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// User code at unexpected moments: when a value or a closure goes, and when it subscribes.
@Suite struct `Code that runs at an odd moment` {
  /// Runs a closure when it goes.
  final class Farewell {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
    deinit { body() }
  }

  struct Failure: Error {}

  @Test
  func `a write as a dropped combiner's closure goes is told within this transaction or on its own, never in another`()
  {
    let told = Log<Int>()
    let target = Observable(0)
    target.addObserver(told.observer)
    let source = Observable(0)
    var dropped: ObservableCombiner<Int>? = ObservableCombiner(.every, 0)
    do {
      let farewell = Farewell { target.value += 1 }
      dropped?.combine(source).handle { _ in withExtendedLifetime(farewell) { 0 } }
    }
    source.addObserver(Observer { _ in dropped = nil })
    source.value = 1
    #expect(target.value == 1)
    #expect(told.values == [1])
    Observable(0).value = 1
    #expect(told.values == [1])
  }

  @Test func `a write as a pending combiner is dropped reaches the combiners that depend on it`() {
    let told = Log<Int>()
    let target = Observable(0)
    let dependent = ObservableCombiner<Int>(.every, 0)
    dependent.combine(target).handle { $0 }
    dependent.addObserver(told.observer)
    let source = Observable(0)
    let never = Observable(0)
    var dropped: ObservableCombiner<Int>?
    let first = ObservableCombiner<Int>(.every, 0)
    first.combine(source).handle { value in
      dropped = nil
      return value
    }
    dropped = ObservableCombiner(.all, 0)
    do {
      let farewell = Farewell { target.value += 1 }
      dropped?.combine(source).combine(never).handle { value, _ in withExtendedLifetime(farewell) { value } }
    }
    source.value = 1
    #expect((target.value, dependent.value) == (1, 1))
    #expect(told.values == [1])
    target.value = 10
    #expect(told.values == [1, 10])
  }

  @Test func `a write as an old value goes leaves no observer with an older one`() throws {
    let told = Log<Int>()
    let count = Observable(0)
    count.addObserver(told.observer)
    let holder = Observable<Farewell?>(nil, cutOff: .never)
    holder.value = Farewell { count.value = 0 }
    try transaction {
      holder.value = nil
      count.value = 1
    }
    #expect(count.value == 0)
    #expect(told.values == [1, 0])
  }

  @Test func `an observer that throws on being replayed to reaches the caller of the transaction`() {
    let count = Observable(0)
    #expect(throws: Failure.self) {
      try transaction(.undo) {
        count.value = 1
        count.addObserver(Observer { _ in throw Failure() }, replay: true)
      }
    }
    #expect(count.value == 0)
  }

  @Test func `who subscribes after a write that is then taken back has the last value`() throws {
    let told = Log<Int>()
    let count = Observable(0)
    try transaction {
      count.value = 1
      count.addObserver(told.observer, replay: true)
      count.value = 0
    }
    #expect(told.values == [1, 0])
  }

  @Test func `what was combined in a transaction that is undone still runs by its strategy`() {
    let a = Observable(0)
    let b = Observable(0)
    let first = ObservableCombiner<Int?>(.first)
    let all = ObservableCombiner<Int?>(.all)
    #expect(throws: Failure.self) {
      try transaction {
        a.value = 1
        b.value = 1
        first.combine(a).handle { $0 }
        all.combine(a, b).handle { $0 + $1 }
        throw Failure()
      }
    }
    a.value = 2
    #expect((first.value, all.value) == (2, nil))
    b.value = 2
    #expect(all.value == 4)
  }

  @Test func `a transaction whose error is caught within another keeps what it wrote`() throws {
    let count = Observable(0)
    let action = Observer<Int> {
      count.value = $0
      throw Failure()
    }
    try transaction { try? action.invoke(7) }
    #expect(count.value == 7)
  }

  @Test func `what subscribed in a transaction that is undone is not told of later changes`() throws {
    let told = Log<Int>()
    let before = Log<Int>()
    let count = Observable(0)
    count.addObserver(before.observer)
    #expect(throws: Failure.self) {
      try transaction(.undo) {
        count.addObserver(told.observer)
        throw Failure()
      }
    }
    try count.set(1)
    #expect(told.values == [])
    #expect(before.values == [1])
  }
}
