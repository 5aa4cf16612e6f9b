// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let laziness: [Claim] = [
    Claim("a computed is not evaluated before it is read") { system in
      var evaluations = 0
      let a = system.source(1)
      let computed = system.computed { () -> Int in
        evaluations += 1
        return a.value
      }
      try a.set(2)
      expect(evaluations, is: 0)
      expect(computed.value, is: 2)
      expect(evaluations, is: 1)
    },
    Claim("a computed that was read is not evaluated by writes, only by the next reading") { system in
      var evaluations = 0
      let a = system.source(1)
      let computed = system.computed { () -> Int in
        evaluations += 1
        return a.value
      }
      _ = computed.value
      for value in 2...9 { try a.set(value) }
      expect(evaluations, is: 1)
      expect(computed.value, is: 9)
      expect(evaluations, is: 2)
    },
    Claim("reading again without a change evaluates nothing") { system in
      var evaluations = 0
      let a = system.source(1)
      let computed = system.computed { () -> Int in
        evaluations += 1
        return a.value
      }
      for _ in 0..<5 { _ = computed.value }
      expect(evaluations, is: 1)
    },
    Claim("a write elsewhere evaluates nothing") { system in
      var evaluations = 0
      let a = system.source(1)
      let other = system.source(1)
      let computed = system.computed { () -> Int in
        evaluations += 1
        return a.value
      }
      computed.add(Told(), in: system)
      try other.set(2)
      _ = computed.value
      expect(evaluations, is: 1)
    },
    Claim("an observed computed is evaluated once a transaction, however many inputs changed") { system in
      var evaluations = 0
      let inputs = (0..<6).map { system.source($0) }
      let sum = system.computed { () -> Int in
        evaluations += 1
        return inputs.reduce(0) { $0 + $1.value }
      }
      sum.add(Told(), in: system)
      try system.transaction { for input in inputs { try input.set(input.value + 1) } }
      expect([evaluations, sum.value], is: [2, 21])
    },
    Claim("a computed that several read is evaluated once for all of them") { system in
      var evaluations = 0
      let a = system.source(1)
      let shared = system.computed { () -> Int in
        evaluations += 1
        return a.value
      }
      let readers = (0..<5).map { number in system.computed { shared.value + number } }
      for reader in readers { reader.add(Told(), in: system) }
      shared.add(Told(), in: system)
      let combiner = system.every(0, of: shared) { shared.value }
      expect(evaluations, is: 1)
      try a.set(2)
      expect(evaluations, is: 2)
      withExtendedLifetime(combiner) {}
    },
    Claim("a computed behind a condition is not evaluated when it is no longer read") { system in
      var evaluations = 0
      let items = system.source([1, 2])
      let first = system.computed { () -> Int in
        evaluations += 1
        return items.value[0]
      }
      let title = system.computed { items.value.isEmpty ? "none" : "\(first.value)" }
      title.add(Told(), in: system)
      expect(evaluations, is: 1)
      try items.set([])
      expect(title.value, is: "none")
      expect(evaluations, is: 1)
    },
    Claim("a computed behind a computed condition is not evaluated when it is no longer read") { system in
      var seen: [Int] = []
      let a = system.source(1)
      let isPositive = system.computed { a.value > 0 }
      let root = system.computed { () -> Int in
        seen.append(a.value)
        return a.value * 2
      }
      let answer = system.computed { isPositive.value ? root.value : 0 }
      answer.add(Told(), in: system)
      try a.set(-4)
      expect(answer.value, is: 0)
      expect(seen, is: [1])
      try a.set(3)
      expect(seen, is: [1, 3])
    },
    Claim("an unobserved computed behind a condition is not evaluated when it is no longer read") { system in
      var seen: [Int] = []
      let a = system.source(1)
      let isPositive = system.computed { a.value > 0 }
      let root = system.computed { () -> Int in
        seen.append(a.value)
        return a.value * 2
      }
      let answer = system.computed { isPositive.value ? root.value : 0 }
      _ = answer.value
      try a.set(-4)
      expect(answer.value, is: 0)
      expect(seen, is: [1])
    },
    Claim("no formula ever sees inputs of two times") { system in
      var torn: [String] = []
      let a = system.source(0)
      let b = system.computed { a.value + 1 }
      let c = system.computed { b.value + 1 }
      let d = system.computed { () -> Int in
        if (a.value, b.value, c.value) != (a.value, a.value + 1, a.value + 2) {
          torn.append("\(a.value) \(b.value) \(c.value)")
        }
        return a.value
      }
      d.add(Told(), in: system)
      for value in 1...5 { try a.set(value) }
      expect(torn, is: [])
    },
    Claim("no formula sees a combiner that is behind its source") { system in
      var torn: [String] = []
      let a = system.source(0)
      let tens = system.every(0, of: a) { a.value * 10 }
      let check = system.computed { () -> Int in
        if tens.value != a.value * 10 { torn.append("\(a.value) \(tens.value)") }
        return a.value
      }
      check.add(Told(), in: system)
      for value in 1...5 { try a.set(value) }
      expect(torn, is: [])
    },
    Claim("no combiner's handler sees a computed that is behind its source") { system in
      var seen: [String] = []
      let a = system.source(0)
      let tens = system.computed { a.value * 10 }
      let check = system.every(0, of: a, tens) {
        seen.append("\(a.value) \(tens.value)")
        return 0
      }
      try a.set(1)
      try a.set(2)
      expect(seen, is: ["1 10", "2 20"])
      withExtendedLifetime(check) {}
    },
    Claim("a computed that lost its last listener is lazy again") { system in
      var evaluations = 0
      let a = system.source(1)
      let computed = system.computed { () -> Int in
        evaluations += 1
        return a.value
      }
      let subscription = computed.add(Told(), in: system)
      try a.set(2)
      expect(evaluations, is: 2)
      subscription.dispose()
      try a.set(3)
      try a.set(4)
      expect(evaluations, is: 2)
      expect(computed.value, is: 4)
      expect(evaluations, is: 3)
    },
    Claim("a chain whose end lost its listener is lazy all along") { system in
      var evaluations = 0
      let a = system.source(1)
      let inner = system.computed { () -> Int in
        evaluations += 1
        return a.value
      }
      let outer = system.computed { inner.value }
      let subscription = outer.add(Told(), in: system)
      subscription.dispose()
      try a.set(2)
      expect(evaluations, is: 1)
      expect(outer.value, is: 2)
    },
    Claim("a computed whose combiner was dropped is lazy again") { system in
      var evaluations = 0
      let a = system.source(1)
      let computed = system.computed { () -> Int in
        evaluations += 1
        return a.value
      }
      var combiner: Combiner<Int>? = system.every(0, of: computed) { computed.value }
      try a.set(2)
      expect([combiner?.value, evaluations], is: [2, 2])
      combiner = nil
      try a.set(3)
      expect(evaluations, is: 2)
      expect(computed.value, is: 3)
    },
    Claim("a computed that a body read is evaluated again only if what it read changed again") { system in
      var evaluations = 0
      let a = system.source(1)
      let computed = system.computed { () -> Int in
        evaluations += 1
        return a.value
      }
      computed.add(Told(), in: system)
      try system.transaction {
        try a.set(2)
        expect(computed.value, is: 2)
      }
      expect(evaluations, is: 2)
    },
    Claim("an unobserved computed that a body read is not evaluated again when the body is over") { system in
      var evaluations = 0
      let a = system.source(1)
      let computed = system.computed { () -> Int in
        evaluations += 1
        return a.value
      }
      try system.transaction {
        try a.set(2)
        expect(computed.value, is: 2)
        try a.set(3)
      }
      expect(evaluations, is: 1)
      expect(computed.value, is: 3)
    },
  ]
}
