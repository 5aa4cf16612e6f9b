// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// The engine takes a short way with most of these computeds. The special cases have to be found on that way as well.
@Suite struct `A computed that another reads while the graph settles` {
  struct Refusal: Error {}

  @Test func `may close its graph, and reads on`() {
    let graph = Graph()
    let (source, other) = (Observable(1), Observable(10))
    var isLast = false
    let inner = graph.enter {
      Computed {
        let value = source.value
        if isLast { graph.close() }
        return value + other.value
      }
    }
    let trigger = Computed { source.value }
    let told = Log<Int>()
    let outer = Computed { trigger.value * 1000 + inner.value }
    outer.addObserver(told.observer)
    isLast = true
    source.value = 2
    #expect(told.values == [2012])
    other.value = 20
    source.value = 3
    #expect(told.values == [2012, 3012])
  }

  @Test func `is named where it reads the one that reads it`() throws {
    let source = Observable(1)
    var outer: Computed<Int>?
    let inner = Computed(name: "inner") { source.value == 2 ? try outer?.get() ?? 0 : source.value }
    let trigger = Computed { source.value }
    outer = Computed(name: "outer") { try trigger.get() + inner.get() }
    let told = Log<Int>()
    outer?.addObserver(told.observer)
    let failure = #expect(throws: ObservableError.self) { try source.set(2) }
    guard case .cycle(let names) = failure else {
      Issue.record("expected a cycle, got \(String(describing: failure))")
      return
    }
    #expect(names.map { $0.prefix { $0 != " " } } == ["outer", "inner"])
    source.value = 3
    #expect(told.values == [6])
    outer = nil
  }

  @Test func `may throw, and may drop an input, in the same run`() throws {
    let (source, other) = (Observable(1), Observable<Int?>(10))
    weak var dropped: Computed<Int>?
    var extra: Computed<Int>? = Computed { other.value ?? 0 }
    dropped = extra
    let inner = Computed { () throws -> Int in
      if source.value == 2 { throw Refusal() }
      return source.value + (extra?.value ?? 0)
    }
    let trigger = Computed { source.value }
    let told = Log<Int>()
    let outer = Computed { try trigger.get() * 1000 + ((try? inner.get()) ?? 0) }
    outer.addObserver(told.observer)
    extra = nil
    #expect(dropped != nil)
    source.value = 2
    #expect(dropped == nil)
    source.value = 3
    #expect(told.values == [2000, 3003])
  }

  @Test func `settles the combiners that it has not read before`() {
    let source = Observable(1)
    let doubled = ObservableCombiner<Int>(.every, 2)
    doubled.combine(source).handle { $0 * 2 }
    let trigger = Computed { source.value }
    let inner = Computed { source.value > 1 ? doubled.value : 0 }
    let told = Log<Int>()
    let outer = Computed { trigger.value * 1000 + inner.value }
    outer.addObserver(told.observer)
    source.value = 3
    source.value = 4
    #expect(told.values == [3006, 4008])
  }
}
