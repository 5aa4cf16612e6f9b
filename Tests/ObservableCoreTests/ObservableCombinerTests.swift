// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// The claims that the conformance list does not make, as they are about the core's own types.
@Suite struct `A combiner` {
  @Test func `S0-13 S0-14 hands over the values in the order of combining, nil for an input that has none yet`() {
    let a = Observable("a")
    let b = Observable(1)
    let unset = ObservableCombiner<Int?>(.every)
    let all = ObservableCombiner<String?>(.every)
    #expect(all.combine(a, b, unset).handle { "\($0) \($1) \($2 ?? -1)" } === all)
    #expect(all.value == nil)
    b.value = 2
    #expect(all.value == "a 2 -1")
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

  @Test func `combines the latest pulse of an event with values, an equal one again`() throws {
    let tap = Event<Int>()
    let factor = Observable(2)
    var seen: [Int] = []
    let product = ObservableCombiner<Void>(.every)
    product.combine(tap.latest).combine(factor).handle { if let tapped = $0 { seen.append(tapped * $1) } }
    try tap.send(5)
    try tap.send(5)
    factor.value = 3
    #expect(seen == [10, 10, 15])
    withExtendedLifetime(product) {}
  }
}
