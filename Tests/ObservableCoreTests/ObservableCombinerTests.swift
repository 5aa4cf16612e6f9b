// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

@Suite struct `A combiner` {
  @Test func `S0-13 hands the values over in the order of combining and stores the result through the cut-off`() {
    let told = Log<String?>()
    let a = Observable("a")
    let b = Observable(1)
    let both = ObservableCombiner<String?>(.every)
    #expect(both.combine(a).combine(b).handle { "\($0)\($1)" } === both)
    both.addObserver(told.observer)
    a.value = "x"
    #expect(both.value == "x1")
    b.value = 2
    #expect(told.values == ["x1", "x2"])
  }

  @Test func `S0-13 an equal result is cut off`() {
    let told = Log<Bool?>()
    let n = Observable(1)
    let isOdd = ObservableCombiner<Bool?>(.every)
    isOdd.combine(n).handle { $0 % 2 == 1 }
    isOdd.addObserver(told.observer)
    n.value = 3
    n.value = 5
    n.value = 6
    #expect(told.values == [true, false])
  }

  @Test func `S0-14 the handler gets the present value of every input, nil for one that has none yet`() {
    let a = Observable(1)
    let unset = ObservableCombiner<Int?>(.every)
    var seen: [(Int, Int?)] = []
    let combiner = ObservableCombiner<Int?>(.every)
    combiner.combine(a).combine(unset).handle {
      seen.append(($0, $1))
      return $0
    }
    a.value = 2
    #expect(seen.count == 1)
    #expect(seen[0] == (2, nil))
  }

  @Test func `S0-15 every runs on each notification and on nothing else`() {
    var runs = 0
    let a = Observable(0)
    let b = Observable(0)
    let sum = ObservableCombiner<Int?>(.every)
    sum.combine(a).combine(b).handle {
      runs += 1
      return $0 + $1
    }
    #expect(runs == 0)
    #expect(sum.value == nil)
    a.value = 1
    b.value = 1
    #expect(runs == 2)
    #expect(sum.value == 2)
  }

  @Test func `S0-16 first runs once in its life, with all present values`() {
    var seen: [(Int, Int)] = []
    let a = Observable(0)
    let b = Observable(5)
    let first = ObservableCombiner<Int?>(.first)
    first.combine(a).combine(b).handle {
      seen.append(($0, $1))
      return $0 + $1
    }
    a.value = 1
    b.value = 6
    a.value = 2
    #expect(seen.count == 1)
    #expect(seen[0] == (1, 5))
    #expect(first.value == 6)
  }

  @Test func `S0-17 all waits until every input has notified since it was combined, then runs each time`() {
    var seen: [(Int, Int)] = []
    let a = Observable(0)
    let b = Observable(0)
    a.value = 1
    let all = ObservableCombiner<Int?>(.all)
    all.combine(a).combine(b).handle {
      seen.append(($0, $1))
      return $0 + $1
    }
    b.value = 1
    b.value = 2
    #expect(seen.isEmpty)
    #expect(all.value == nil)
    a.value = 2
    a.value = 3
    b.value = 3
    #expect(seen.map { [$0.0, $0.1] } == [[2, 2], [3, 2], [3, 3]])
  }

  @Test func `S0-18 a write that the input cut off does not count`() {
    var runs = 0
    let a = Observable(0)
    let b = Observable(0)
    let all = ObservableCombiner<Int?>(.all)
    all.combine(a).combine(b).handle { _, _ in
      runs += 1
      return 0
    }
    a.value = 0
    b.value = 1
    #expect(runs == 0)
    a.value = 1
    #expect(runs == 1)
  }

  @Test func `S0-19 nil after a value notifies, and nil after nil notifies again`() {
    let told = Log<Int?>()
    let n = Observable(0)
    let positive = ObservableCombiner<Int?>(.every)
    positive.combine(n).handle { $0 > 0 ? $0 : nil }
    positive.addObserver(told.observer)
    n.value = 1
    n.value = -1
    n.value = -2
    #expect(told.values == [1, nil, nil])
  }

  @Test func `S0-20 a notification before there is a handler is ignored`() {
    for strategy in [CombineStrategy.every, .first, .all] {
      let a = Observable(0)
      let combiner = ObservableCombiner<Int?>(strategy)
      let combination = combiner.combine(a)
      a.value = 1
      #expect(combiner.value == nil)
      combination.handle { $0 }
      #expect(combiner.value == nil)
      a.value = 2
      #expect(combiner.value == 2)
    }
  }

  @Test func `S0-20 a notification before there is a handler is not made up for by a later pull`() {
    let source = Observable(0)
    let isPositive = ObservableCombiner<Bool>(.every, false)
    isPositive.combine(source).handle { $0 > 0 }
    var runs = 0
    let late = ObservableCombiner<Int>(.every, 0)
    let combination = late.combine(isPositive)
    source.value = 1
    combination.handle { _ in
      runs += 1
      return runs
    }
    source.value = 2
    #expect(runs == 0)
    source.value = -1
    #expect(runs == 1)
  }

  @Test func `S0-20 a hundred inputs are as good as two`() {
    var runs = 0
    let inputs = (0..<100).map { _ in Observable(0) }
    let all = ObservableCombiner<Int?>(.all)
    for input in inputs {
      all.combine(input).handle { _ in
        runs += 1
        return inputs.reduce(0) { $0 + $1.value }
      }
    }
    for (index, input) in inputs.enumerated() {
      #expect(runs == 0)
      input.value = index + 1
    }
    #expect(runs == 1)
    #expect(all.value == 5050)
  }

  @Test func `S0-21 keeps its inputs alive, and stops when it is dropped`() {
    var runs = 0
    weak var input: Observable<Int>?
    let source = Observable(0)
    var combiner: ObservableCombiner<Int?>? = ObservableCombiner(.every)
    do {
      let made = Observable(0)
      input = made
      combiner?.combine(made).combine(source).handle {
        runs += 1
        return $0 + $1
      }
    }
    #expect(input != nil)
    source.value = 1
    #expect(runs == 1)
    combiner = nil
    #expect(input == nil)
    source.value = 2
    #expect(runs == 1)
  }

  @Test func `S0-23 maps several observables to several, which change as one`() {
    let width = Observable(2)
    let height = Observable(3)
    let area = Observable(6)
    let label = Observable("2x3")
    var seen: [String] = []
    let mapping = ObservableCombiner<Void>(.every)
    mapping.combine(width).combine(height).handle(into: area, label) { ($0 * $1, "\($0)x\($1)") }
    let summary = ObservableCombiner<String>(.every, "")
    summary.combine(area).combine(label).handle { "\($1)=\($0)" }
    summary.addObserver(Observer { seen.append($0) })
    width.value = 4
    #expect(seen == ["4x3=12"])
    withExtendedLifetime(mapping) {}
  }

  @Test func `S0-D2 inputs may be woven in later, one at a time`() {
    let a = Observable(1)
    let b = Observable(10)
    let sum = ObservableCombiner<Int>(.every, 0)
    let one = sum.combine(a)
    one.handle { $0 }
    a.value = 2
    #expect(sum.value == 2)
    one.combine(b).handle { $0 + $1 }
    b.value = 20
    #expect(sum.value == 22)
  }
}
