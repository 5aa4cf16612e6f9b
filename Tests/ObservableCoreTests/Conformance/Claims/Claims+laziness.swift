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
    Claim("a computed behind a condition, computed or not, is not evaluated when it is no longer read") { system in
      for (isComputed, isObserved) in [(true, true), (true, false), (false, true), (false, false)] {
        var seen: [Int] = []
        let a = system.source(1)
        let isPositive = system.computed { a.value > 0 }
        let root = system.computed { () -> Int in
          seen.append(a.value)
          return a.value * 2
        }
        let answer = system.computed { (isComputed ? isPositive.value : a.value > 0) ? root.value : 0 }
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
    Claim("a computed that a body read is not evaluated at its end if its input is the same or nobody observes it") {
      system in
      for isObserved in [true, false] {
        let evaluations = Runs()
        let a = system.source(1)
        let computed = system.computed(counting: evaluations) { a.value }
        if isObserved { computed.add(Told(), in: system) }
        evaluations.count = 0
        try system.transaction {
          try a.set(2)
          expect(computed.value, is: 2)
          if !isObserved { try a.set(3) }
        }
        expect(evaluations.count, is: 1)
        expect(computed.value, is: isObserved ? 2 : 3)
      }
    },
  ]
}
