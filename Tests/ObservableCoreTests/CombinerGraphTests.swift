// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `Combiners of combiners` {
  @Test func `S0-22 combiners feed combiners, and each runs once after all that it depends on`() {
    var runs: [String] = []
    let source = Observable(1)
    let left = ObservableCombiner<Int>(.every, 0)
    let right = ObservableCombiner<Int>(.every, 0)
    let bottom = ObservableCombiner<Int>(.every, 0)
    bottom.combine(left).combine(right).handle {
      runs.append("bottom \($0) \($1)")
      return $0 + $1
    }
    left.combine(source).handle { $0 * 10 }
    right.combine(source).handle { $0 * 100 }
    source.value = 2
    #expect(runs == ["bottom 20 200"])
    source.value = 3
    #expect(runs == ["bottom 20 200", "bottom 30 300"])
  }

  @Test func `S0-22 a cycle that the cut-off stops settles`() {
    let celsius = Observable(0)
    let a = ObservableCombiner<Int>(.every, 0, name: "a")
    let b = ObservableCombiner<Int>(.every, 0, name: "b")
    a.combine(celsius).combine(b).handle { max($0, $1) }
    b.combine(a).handle { min($0 + 1, 5) }
    celsius.value = 2
    #expect((a.value, b.value) == (5, 5))
  }

  @Test func `S0-22 a cycle that does not settle is reported by the names of its nodes, and undone`() {
    let start = Observable(0, name: "start")
    let up = ObservableCombiner<Int>(.every, 0, name: "up")
    let higher = ObservableCombiner<Int>(.every, 0, name: "higher")
    let bystander = ObservableCombiner<Int>(.every, 0, name: "bystander")
    up.combine(start).combine(higher).handle { $0 + $1 + 1 }
    higher.combine(up).handle { $0 + 1 }
    bystander.combine(start).handle { $0 }
    let failure = #expect(throws: ObservableError.self) { try start.set(1) }
    guard case .unsettled(let nodes, let rounds) = failure else {
      Issue.record("expected unsettled, got \(String(describing: failure))")
      return
    }
    #expect(rounds == 100)
    #expect(nodes.count == 2)
    #expect(nodes.contains { $0.hasPrefix("up (ObservableCoreTests/CombinerGraphTests.swift:") })
    #expect(nodes.contains { $0.hasPrefix("higher (") })
    #expect((start.value, up.value, higher.value, bystander.value) == (0, 0, 0, 0))
  }

  @Test func `S0-22 an observer that always writes what it observes is reported too`() {
    let count = Observable(0, name: "count")
    count.addObserver(Observer { count.value = $0 + 1 })
    let failure = #expect(throws: ObservableError.self) { try count.set(1) }
    #expect("\(failure.map { "\($0)" } ?? "")".contains("count (ObservableCoreTests/"))
    #expect(count.value == 0)
  }

  @Test func `S0-22 a chain of 50,000 combiners settles without recursion`() {
    let source = Observable(0)
    var last: Observable<Int> = source
    for _ in 0..<50_000 {
      let next = ObservableCombiner<Int>(.every, 0)
      next.combine(last).handle { $0 + 1 }
      last = next
    }
    source.value = 1
    #expect(last.value == 50_001)
  }

  @Test func `a chain of 100,000 combiners ends without recursion when its last one is dropped`() {
    weak var middle: Observable<Int>?
    var last = Observable(0)
    for index in 0..<100_000 {
      let next = ObservableCombiner<Int>(.every, 0)
      next.combine(last).handle { $0 + 1 }
      last = next
      if index == 50_000 { middle = next }
    }
    #expect(middle != nil)
    last = Observable(1)
    #expect(middle == nil)
  }
}
