// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// A computed with its source's value, which counts its evaluations.
private final class Counted {
  private(set) var evaluations = 0
  let source: Source<Int>
  private(set) var computed: Readable<Int>!

  /// Evaluates the computed once.
  init(_ system: any ReactiveSystem, _ value: Int) {
    let source = system.source(value)
    self.source = source
    computed = system.computed { [unowned self] in
      evaluations += 1
      return source.value
    }
    _ = computed.value
  }
}

extension Claim {
  static let equalResults = Derived.pairs.map { first, second in
    Claim("a \(first) that comes to an equal value tells nobody, and runs no \(second) after it") { system in
      let runs = Runs()
      let a = system.source(1)
      let isOdd = system.derived(first, true, of: a) { a.value % 2 == 1 }
      let word = system.derived(second, "odd", of: isOdd) {
        runs.count += 1
        return isOdd.value ? "odd" : "even"
      }
      let told = isOdd.told(in: system)
      word.add(Told(), in: system)
      runs.count = 0
      try a.set(3)
      try a.set(5)
      expect(runs.count, is: 0)
      expect(told.values, is: [])
      try a.set(4)
      expect(runs.count, is: 1)
      expect(told.values, is: [false])
    }
  }

  static let cutOff: [Claim] = [
    Claim("S0-3 an equal write tells nobody and runs nothing") { system in
      let runs = Runs()
      let told = Told<Int>()
      let a = system.source(1)
      let combiner = system.every(0, of: a, counting: runs) { 0 }
      let computed = system.computed(counting: runs) { a.value }
      a.add(told, in: system)
      computed.add(told, in: system)
      runs.count = 0
      try a.set(1)
      expect(runs.count, is: 0)
      expect(told.values, is: [])
      withExtendedLifetime(combiner) {}
    },
    Claim("an equal write in a body runs no formula, whether that is observed or not") { system in
      let counted = Counted(system, 1)
      for isObserved in [false, true] {
        if isObserved { counted.computed.add(Told(), in: system) }
        try system.transaction {
          try counted.source.set(1)
          expect(counted.computed.value, is: 1)
        }
        expect(counted.computed.value, is: 1)
        expect(counted.evaluations, is: 1)
      }
    },
    Claim("a write in a body that is equal to the one before it does not run a formula again") { system in
      let counted = Counted(system, 1)
      let told = counted.computed.told(in: system)
      try system.transaction {
        for _ in 0..<3 {
          try counted.source.set(2)
          expect(counted.computed.value, is: 2)
        }
      }
      expect(counted.evaluations, is: 2)
      expect(told.values, is: [2])
    },
    Claim("a write that a body takes back before anybody looks runs no formula, and goes with a body that throws") {
      system in
      let counted = Counted(system, 1)
      let told = counted.computed.told(in: system)
      try system.transaction {
        for _ in 0..<3 {
          try counted.source.set(2)
          try counted.source.set(1)
          expect(counted.computed.value, is: 1)
        }
      }
      expect(counted.evaluations, is: 1)
      expectUndone(in: system) { for value in [2, 1, 3] { try counted.source.set(value) } }
      expect([counted.source.value, counted.computed.value, counted.evaluations], is: [1, 1, 1])
      try system.transaction { for value in [2, 1, 3] { try counted.source.set(value) } }
      expect(counted.evaluations, is: 2)
      expect(told.values, is: [3])
    },
    Claim("a write that a body takes back runs again a formula that has seen it, once, observed or not") { system in
      for isObserved in [true, false] {
        let told = Told<Int>()
        let counted = Counted(system, 1)
        if isObserved { counted.computed.add(told, in: system) }
        try system.transaction {
          try counted.source.set(2)
          expect(counted.computed.value, is: 2)
          try counted.source.set(1)
          expect(counted.computed.value, is: 1)
        }
        expect(counted.computed.value, is: 1)
        expect(counted.evaluations, is: 3)
        expect(told.values, is: [])
        try counted.source.set(5)
        expect(counted.computed.value, is: 5)
        expect(told.values, is: isObserved ? [5] : [])
      }
    },
    Claim("observers are told in the order of the first writes, also of one that was taken back meanwhile") {
      system in
      let told = Told<String>()
      let (a, b) = (system.source(1), system.source(1))
      a.add(system.listener { told.values.append("a\($0)") })
      b.add(system.listener { told.values.append("b\($0)") })
      try system.transaction {
        try a.set(2)
        try b.set(2)
        try a.set(1)
        try a.set(3)
      }
      expect(told.values, is: ["a3", "b2"])
    },
    Claim("an unobserved chain is cut off as well") { system in
      let evaluations = Runs()
      let a = system.source(1)
      let isOdd = system.computed { a.value % 2 == 1 }
      let word = system.computed(counting: evaluations) { isOdd.value ? "odd" : "even" }
      expect(word.value, is: "odd")
      try a.set(3)
      expect(word.value, is: "odd")
      expect(evaluations.count, is: 1)
    },
    Claim("S0-4 without a cut-off every write is told, equal or not, and a transaction of several once") { system in
      let evaluations = Runs()
      let tap = system.source(0, isDuplicate: { _, _ in false })
      let told = tap.told(in: system)
      let count = system.computed(counting: evaluations) { tap.value + evaluations.count }
      count.add(Told(), in: system)
      try tap.set(0)
      try tap.set(0)
      expect(told.values, is: [0, 0])
      expect(evaluations.count, is: 3)
      try system.transaction {
        try tap.set(0)
        try tap.set(0)
      }
      expect(told.values, is: [0, 0, 0])
      expect(evaluations.count, is: 4)
    },
    Claim("a computed without a cut-off tells of every evaluation") { system in
      let a = system.source(1)
      let sign = system.computed(isDuplicate: { _, _ in false }) { a.value.signum() }
      let told = sign.told(in: system)
      try a.set(2)
      try a.set(2)
      try a.set(3)
      expect(told.values, is: [1, 1])
    },
    Claim("S0-13 a cut-off of one's own decides which values of a source, a computed and a combiner count") { system in
      let isSameTen = { (one: Int, other: Int) in one / 10 == other / 10 }
      let a = system.source(0)
      let level = system.source(0, isDuplicate: { abs($0 - $1) < 10 })
      let computed = system.computed(isDuplicate: isSameTen) { a.value }
      let combiner = system.combiner(.every, 0, isDuplicate: isSameTen).weave(a).handle { a.value }
      let logs = [level, computed, combiner].map { $0.told(in: system) }
      for (value, kept) in [(5, 0), (12, 12), (15, 12), (30, 30)] {
        try level.set(value)
        try a.set(value)
        expect([level.value, combiner.value], is: [kept, kept])
      }
      expect(logs.map(\.values), is: [[12, 30], [12, 30], [12, 30]])
    },
    Claim("nil is a value as any other") { system in
      let a = system.source(Int?.none)
      let double = system.computed { a.value.map { $0 * 2 } }
      let told = double.told(in: system)
      try a.set(nil)
      try a.set(1)
      try a.set(nil)
      expect(told.values, is: [2, nil])
    },
  ]
}
