// SPDX-License-Identifier: MIT
@testable import ObservableCore
import Testing

/// Nodes, entries and closures that go while the engine stands on them. The suite is for the address sanitizer.
@Suite struct `An object that goes while the engine stands on it` {
  final class Box<Content> {
    var content: Content?
    init(_ content: Content? = nil) { self.content = content }
  }

  @Test func `an observable may go with its own observer, as the subscription ends`() {
    final class Model {
      let source = Observable(0)
      var subscription: Subscription?
    }
    var model: Model? = Model()
    weak let gone = model
    let subscription = model?.source.addObserver(Observer { [kept = model] _ in withExtendedLifetime(kept) {} })
    model = nil
    #expect(gone != nil)
    subscription?.dispose()
    #expect(gone == nil)
    #expect(subscription?.isDisposed == true)
  }

  @Test func `a computed may go in the transaction that told its observers`() {
    let source = Observable(1)
    let computed = Box(Computed { source.value * 2 })
    let last = Computed { source.value + 1 }
    let told = Log<Int>()
    computed.content?.addObserver(told.observer)
    last.addObserver(Observer { _ in computed.content = nil })
    source.value = 5
    #expect(told.values == [10])
    #expect(computed.content == nil)
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
    let holder = Observable<Farewell?>(Farewell { count.value = 0 }, cutOff: .never)
    try transaction {
      holder.value = nil
      count.value = 1
    }
    #expect(count.value == 0)
    #expect(told.values == [1, 0])
  }

  @Test func `an observable may go as the value from before of another goes`() throws {
    let first = Box(Observable(0))
    let second = Observable<Farewell?>(Farewell { first.content = nil }, cutOff: .never)
    try transaction {
      first.content?.value = 1
      second.value = nil
    }
    #expect(first.content == nil)
  }

  @Test func `a computed may go in the run that decides on it`() throws {
    let source = Observable(1)
    let computed = Box<Computed<Int>>()
    let isLast = Box(false)
    computed.content = Computed {
      if isLast.content == true { computed.content = nil }
      return source.value
    }
    #expect(computed.content?.value == 1)
    try transaction {
      source.value = 2
      #expect(computed.content?.value == 2)
      source.value = 3
      isLast.content = true
    }
    #expect(computed.content == nil)
  }

  @Test func `an observable may go in the comparison that decides on it`() throws {
    let observable = Box<Observable<Int>>()
    observable.content = Observable(
      0,
      cutOff: CutOff { _, _ in
        observable.content = nil
        return false
      })
    try transaction { observable.content?.value = 1 }
    #expect(observable.content == nil)
  }

  @Test func `a write as a computed's formula goes does not run the computed`() {
    let source = Observable(1)
    var runs = 0
    var computed: Computed<Int>?
    do {
      let farewell = Farewell { source.value = 5 }
      computed = Computed {
        runs += 1
        return withExtendedLifetime(farewell) { source.value }
      }
    }
    computed?.addObserver(Observer())
    #expect(runs == 1)
    computed = nil
    #expect((runs, source.value) == (1, 5))
    source.value = 6
    #expect(runs == 1)
  }

  @Test func `a graph may be closed as the formula of one of its computeds goes`() {
    let graph = Graph()
    var computed: Computed<Int>?
    do {
      let farewell = Farewell { graph.close() }
      computed = graph.enter { Computed { withExtendedLifetime(farewell) { 1 } } }
    }
    #expect(computed?.value == 1)
    computed = nil
    #expect(graph.isClosed)
    #expect(graph.memberCount == 0)
  }

  @Test func `a formula may close its graph and read on`() {
    let graph = Graph()
    let (first, second, other) = (Observable(1), Observable(2), Observable(3))
    var isLast = false
    let computed = graph.enter {
      Computed {
        let value = first.value
        if isLast { graph.close() }
        return value + (isLast ? other.value : second.value)
      }
    }
    #expect(computed.value == 3)
    isLast = true
    first.value = 10
    #expect(computed.value == 3 || computed.value == 13)
    other.value = 30
    second.value = 20
  }

  @Test func `a formula may close its graph before it reads`() {
    let graph = Graph()
    let (first, other) = (Observable(1), Observable(3))
    var isLast = false
    let computed = graph.enter {
      Computed {
        if isLast { graph.close() }
        return (isLast ? other.value : 0) + first.value
      }
    }
    #expect(computed.value == 1)
    isLast = true
    first.value = 10
    _ = try? computed.get()
    other.value = 30
  }

  @Test func `a watcher may close the graph that tells it`() {
    final class Closer: Watcher {
      let graph: Graph
      init(_ graph: Graph) { self.graph = graph }
      func nodeDidChange(_ tag: Int) { graph.close() }
    }
    let graph = Graph()
    let source = graph.enter { Observable(0) }
    source.watch(Closer(graph), tag: 1)
    source.addObserver(Observer())
    source.watch(Closer(graph), tag: 2)
    source.value = 1
    #expect(graph.isClosed)
  }

  @Test func `an observable that nothing else keeps can be written`() throws {
    let told = Log<Int>()
    func made() -> Observable<Int> {
      let made = Observable(0)
      made.addObserver(told.observer)
      return made
    }
    try made().set(1)
    made().value = 2
    try transaction { try made().set(3) }
    let box = Box(made())
    box.content?.addObserver(Observer { _ in box.content = nil })
    try box.content?.set(4)
    #expect(told.values == [1, 2, 4])
  }

  /// A value whose old content goes while another is stored.
  enum Payload {
    case one(Farewell, Int)
    case two(Int, Farewell, String)
  }

  @Test func `a value that goes may write its own observable, in a body and at the end`() throws {
    let source = Observable<Payload?>(nil, cutOff: .never)
    var count = 0
    func next(_ rest: Int) -> Payload {
      let farewell = Farewell {
        count += 1
        if rest > 0 { source.value = next(rest - 1) }
      }
      return rest.isMultiple(of: 2) ? .one(farewell, rest) : .two(rest, farewell, "\(rest)")
    }
    source.value = next(5)
    for _ in 0..<6 { source.value = nil }
    #expect(count == 6)
    try transaction {
      source.value = next(3)
      source.value = next(2)
      source.value = nil
    }
    for _ in 0..<6 { source.value = nil }
    #expect(count == 13)
  }

  @Test func `every pulse of a body is told, where the version comes half way round`() throws {
    let event = Event<Int>()
    let told = Log<Int>()
    event.state.pointee.version = 0x7fff_fffd
    event.addObserver(told.observer)
    try transaction { for pulse in 1...5 { try event.send(pulse) } }
    #expect(told.values == [1, 2, 3, 4, 5])
  }

  @Test(arguments: [0x7fff_fffc, 0xffff_fffc] as [UInt32])
  func `values are told and undone as ever, where the version comes round`(_ version: UInt32) throws {
    let source = Observable(0)
    source.state.pointee.version = version
    let computed = Computed { source.value * 2 }
    let told = Log<Int>()
    computed.addObserver(told.observer)
    source.addObserver(told.observer)
    for value in 1...8 {
      expectUndone {
        source.value = 100 + value
        #expect(computed.value == 200 + 2 * value)
      }
      #expect(computed.value == 2 * value - 2)
      source.value = value
    }
    #expect(told.values.sorted() == (1...8).flatMap { [$0, 2 * $0] }.sorted())
  }

  @Test func `a formula may not write within untracked, after another that does likewise`() {
    let source = Observable(0)
    let inner = Computed { untracked { source.value } }
    var thrown: (any Error)?
    let outer = Computed {
      untracked {
        _ = inner.value
        do { try source.set(1) } catch { thrown = error }
        return 0
      }
    }
    #expect(outer.value == 0)
    #expect(thrown is ObservableError)
    #expect(source.value == 0)
  }

  @Test func `an observable of a graph that was closed in a transaction is undone to its last value`() throws {
    let graph = Graph()
    let source = graph.enter { Observable(0) }
    try transaction {
      source.value = 1
      graph.close()
    }
    expectUndone { source.value = 2 }
    #expect(source.value == 1)
  }
}
