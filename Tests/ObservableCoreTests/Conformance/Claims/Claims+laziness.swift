// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let laziness: [Claim] = [
    Claim("a computed is evaluated by a reading, and only if an input has changed since the one before") { system in
      let evaluations = Runs()
      let a = system.source(1)
      let computed = system.computed(counting: evaluations) { a.value }
      try a.set(2)
      expect(evaluations.count, is: 0)
      for _ in 0..<5 { expect(computed.value, is: 2) }
      expect(evaluations.count, is: 1)
      for value in 3...9 { try a.set(value) }
      expect(evaluations.count, is: 1)
      expect(computed.value, is: 9)
      expect(evaluations.count, is: 2)
    },
    Claim("a write elsewhere evaluates nothing") { system in
      let evaluations = Runs()
      let a = system.source(1)
      let other = system.source(1)
      let computed = system.computed(counting: evaluations) { a.value }
      computed.add(Told(), in: system)
      try other.set(2)
      _ = computed.value
      expect(evaluations.count, is: 1)
    },
    Claim("an observed computed is evaluated once a transaction, however many inputs changed") { system in
      let evaluations = Runs()
      let inputs = (0..<6).map { system.source($0) }
      let sum = system.computed(counting: evaluations) { inputs.reduce(0) { $0 + $1.value } }
      sum.add(Told(), in: system)
      try system.transaction { for input in inputs { try input.set(input.value + 1) } }
      expect([evaluations.count, sum.value], is: [2, 21])
    },
    Claim("a computed that several read is evaluated once for all of them") { system in
      let evaluations = Runs()
      let a = system.source(1)
      let shared = system.computed(counting: evaluations) { a.value }
      let readers = (0..<5).map { number in system.computed { shared.value + number } }
      for reader in readers { reader.add(Told(), in: system) }
      shared.add(Told(), in: system)
      let combiner = system.every(0, of: shared) { shared.value }
      expect(evaluations.count, is: 1)
      try a.set(2)
      expect(evaluations.count, is: 2)
      withExtendedLifetime(combiner) {}
    },
    Claim("a computed behind a condition is not evaluated when it is no longer read") { system in
      let evaluations = Runs()
      let items = system.source([1, 2])
      let first = system.computed(counting: evaluations) { items.value[0] }
      let title = system.computed { items.value.isEmpty ? "none" : "\(first.value)" }
      title.add(Told(), in: system)
      expect(evaluations.count, is: 1)
      try items.set([])
      expect(title.value, is: "none")
      expect(evaluations.count, is: 1)
    },
    Claim("a computed behind a computed condition is not evaluated when it is no longer read, observed or not") {
      system in
      for isObserved in [true, false] {
        var seen: [Int] = []
        let a = system.source(1)
        let isPositive = system.computed { a.value > 0 }
        let root = system.computed { () -> Int in
          seen.append(a.value)
          return a.value * 2
        }
        let answer = system.computed { isPositive.value ? root.value : 0 }
        if isObserved { answer.add(Told(), in: system) }
        _ = answer.value
        try a.set(-4)
        expect(answer.value, is: 0)
        expect(seen, is: [1])
        try a.set(3)
        expect(answer.value, is: 6)
        expect(seen, is: [1, 3])
      }
    },
    Claim("a chain of computeds whose end lost its last listener is lazy again all along") { system in
      let evaluations = Runs()
      let a = system.source(1)
      let inner = system.computed(counting: evaluations) { a.value }
      let outer = system.computed(counting: evaluations) { inner.value }
      let subscription = outer.add(Told(), in: system)
      try a.set(2)
      expect(evaluations.count, is: 4)
      subscription.dispose()
      try a.set(3)
      try a.set(4)
      expect(evaluations.count, is: 4)
      expect(outer.value, is: 4)
      expect(evaluations.count, is: 6)
    },
    Claim("a computed whose combiner was dropped is lazy again") { system in
      let evaluations = Runs()
      let a = system.source(1)
      let computed = system.computed(counting: evaluations) { a.value }
      var combiner: Combiner<Int>? = system.every(0, of: computed) { computed.value }
      try a.set(2)
      expect([combiner?.value, evaluations.count], is: [2, 2])
      combiner = nil
      try a.set(3)
      expect(evaluations.count, is: 2)
      expect(computed.value, is: 3)
    },
    Claim("a computed that a body read is evaluated again only if its input changed again") { system in
      let evaluations = Runs()
      let a = system.source(1)
      let computed = system.computed(counting: evaluations) { a.value }
      computed.add(Told(), in: system)
      try system.transaction {
        try a.set(2)
        expect(computed.value, is: 2)
      }
      expect(evaluations.count, is: 2)
    },
    Claim("an unobserved computed that a body read is not evaluated again when the body is over") { system in
      let evaluations = Runs()
      let a = system.source(1)
      let computed = system.computed(counting: evaluations) { a.value }
      try system.transaction {
        try a.set(2)
        expect(computed.value, is: 2)
        try a.set(3)
      }
      expect(evaluations.count, is: 1)
      expect(computed.value, is: 3)
    },
  ]
}
