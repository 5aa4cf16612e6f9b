// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

private final class Box {
  let number: Int
  init(_ number: Int) { self.number = number }
}

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
  static let cutOff: [Claim] = [
    Claim("an equal write tells nobody and runs nothing") { system in
      var runs = 0
      let told = Told<Int>()
      let a = system.source(1)
      let combiner = system.every(0, of: a) {
        runs += 1
        return 0
      }
      let computed = system.computed { () -> Int in
        runs += 1
        return a.value
      }
      a.add(told, in: system)
      computed.add(told, in: system)
      runs = 0
      try a.set(1)
      expect(runs, is: 0)
      expect(told.values, is: [])
      withExtendedLifetime(combiner) {}
    },
    Claim("an equal write in a transaction leaves the value that was there") { system in
      let (first, second) = (Box(1), Box(1))
      let box = system.source(first, name: "box") { $0.number == $1.number }
      try system.transaction(.finish) { try box.set(second) }
      expect(box.value === first, is: true)
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
      let told = Told<Int>()
      let counted = Counted(system, 1)
      counted.computed.add(told, in: system)
      try system.transaction {
        for _ in 0..<3 {
          try counted.source.set(2)
          expect(counted.computed.value, is: 2)
        }
      }
      expect(counted.evaluations, is: 2)
      expect(told.values, is: [2])
    },
    Claim("a write that a body takes back before anybody has looked runs no formula") { system in
      let told = Told<Int>()
      let counted = Counted(system, 1)
      counted.computed.add(told, in: system)
      try system.transaction {
        for _ in 0..<3 {
          try counted.source.set(2)
          try counted.source.set(1)
          expect(counted.computed.value, is: 1)
        }
      }
      expect(counted.evaluations, is: 1)
      try system.transaction {
        try counted.source.set(2)
        try counted.source.set(1)
        try counted.source.set(3)
      }
      expect(counted.evaluations, is: 2)
      expect(told.values, is: [3])
    },
    Claim("a write that a body takes back runs again a formula that has seen it, once") { system in
      let told = Told<Int>()
      let counted = Counted(system, 1)
      counted.computed.add(told, in: system)
      try system.transaction {
        try counted.source.set(2)
        expect(counted.computed.value, is: 2)
        try counted.source.set(1)
        expect(counted.computed.value, is: 1)
      }
      expect(counted.computed.value, is: 1)
      expect(counted.evaluations, is: 3)
      expect(told.values, is: [])
    },
    Claim("observers are told in the order of the first writes, also of one that was taken back meanwhile") { system in
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
    Claim("a body that throws after it took a write back has changed nothing") { system in
      let counted = Counted(system, 1)
      counted.computed.add(Told(), in: system)
      expect(failure: "after it") {
        try system.transaction {
          try counted.source.set(2)
          try counted.source.set(1)
          try counted.source.set(3)
          throw Failure("after it")
        }
      }
      expect(counted.source.value, is: 1)
      expect(counted.computed.value, is: 1)
      expect(counted.evaluations, is: 1)
    },
    Claim("a computed that comes to an equal value tells nobody") { system in
      let told = Told<Bool>()
      let a = system.source(1)
      let isOdd = system.computed { a.value % 2 == 1 }
      isOdd.add(told, in: system)
      try a.set(3)
      try a.set(5)
      expect(told.values, is: [])
      try a.set(6)
      expect(told.values, is: [false])
    },
    Claim("a computed that comes to an equal value evaluates nobody after it") { system in
      var evaluations = 0
      let a = system.source(1)
      let isOdd = system.computed { a.value % 2 == 1 }
      let word = system.computed { () -> String in
        evaluations += 1
        return isOdd.value ? "odd" : "even"
      }
      word.add(Told(), in: system)
      try a.set(3)
      try a.set(5)
      expect(evaluations, is: 1)
      try a.set(4)
      expect(evaluations, is: 2)
    },
    Claim("an unobserved chain is cut off as well") { system in
      var evaluations = 0
      let a = system.source(1)
      let isOdd = system.computed { a.value % 2 == 1 }
      let word = system.computed { () -> String in
        evaluations += 1
        return isOdd.value ? "odd" : "even"
      }
      expect(word.value, is: "odd")
      try a.set(3)
      expect(word.value, is: "odd")
      expect(evaluations, is: 1)
    },
    Claim("a combiner that comes to an equal value runs nobody after it") { system in
      var runs = 0
      let a = system.source(1)
      let isOdd = system.every(true, of: a) { a.value % 2 == 1 }
      let after = system.every(0, of: isOdd) {
        runs += 1
        return runs
      }
      try a.set(3)
      try a.set(4)
      expect([runs, after.value], is: [1, 1])
    },
    Claim("a combiner is not run by a computed that comes to an equal value") { system in
      var runs = 0
      let a = system.source(1)
      let isOdd = system.computed { a.value % 2 == 1 }
      let after = system.every(0, of: isOdd) {
        runs += 1
        return runs
      }
      try a.set(3)
      expect(runs, is: 0)
      try a.set(4)
      expect([runs, after.value], is: [1, 1])
    },
    Claim("one side of a diamond that is cut off does not hide the other") { system in
      let told = Told<String>()
      let a = system.source(1)
      let isOdd = system.computed { a.value % 2 == 1 }
      let square = system.computed { a.value * a.value }
      let both = system.computed { "\(isOdd.value) \(square.value)" }
      both.add(told, in: system)
      try a.set(3)
      expect(told.values, is: ["true 9"])
    },
    Claim("a value that comes back while nobody looked tells nobody") { system in
      let told = Told<Int>()
      let a = system.source(1)
      let double = system.computed { a.value * 2 }
      double.add(told, in: system)
      try system.transaction {
        try a.set(2)
        _ = double.value
        try a.set(1)
      }
      expect(told.values, is: [])
    },
    Claim("without a cut-off every write is told, equal or not") { system in
      let told = Told<Int>()
      let tap = system.source(0, isDuplicate: { _, _ in false })
      tap.add(told, in: system)
      try tap.set(0)
      try tap.set(0)
      expect(told.values, is: [0, 0])
    },
    Claim("a computed without a cut-off tells of every evaluation") { system in
      let told = Told<Int>()
      let a = system.source(1)
      let sign = system.computed(isDuplicate: { _, _ in false }) { a.value.signum() }
      sign.add(told, in: system)
      try a.set(2)
      try a.set(2)
      try a.set(3)
      expect(told.values, is: [1, 1])
    },
    Claim("a source without a cut-off evaluates its computed on every write, and once a transaction") { system in
      var evaluations = 0
      let tap = system.source(0, isDuplicate: { _, _ in false })
      let count = system.computed { () -> Int in
        evaluations += 1
        return tap.value + evaluations
      }
      count.add(Told(), in: system)
      try tap.set(0)
      expect(evaluations, is: 2)
      try system.transaction {
        try tap.set(0)
        try tap.set(0)
      }
      expect(evaluations, is: 3)
    },
    Claim("a cut-off of one's own decides what counts") { system in
      let told = Told<Int>()
      let level = system.source(0, isDuplicate: { abs($0 - $1) < 10 })
      level.add(told, in: system)
      try level.set(5)
      try level.set(12)
      try level.set(15)
      try level.set(30)
      expect(told.values, is: [12, 30])
    },
    Claim("a computed's own cut-off keeps the value that was told") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let coarse = system.computed(isDuplicate: { $0 / 10 == $1 / 10 }) { a.value }
      coarse.add(told, in: system)
      try a.set(5)
      try a.set(12)
      try a.set(19)
      try a.set(20)
      expect(told.values, is: [12, 20])
    },
    Claim("objects are told apart as the cut-off says, by identity here") { system in
      let told = Told<Int>()
      let one = Box(1)
      let box = system.source(one, isDuplicate: { $0 === $1 })
      box.add(system.listener { told.values.append($0.number) })
      try box.set(one)
      try box.set(Box(1))
      expect(told.values, is: [1])
    },
    Claim("a computed of an object is cut off by identity") { system in
      var evaluations = 0
      let (even, odd) = (Box(0), Box(1))
      let a = system.source(0)
      let parity = system.computed(isDuplicate: { $0 === $1 }) { a.value % 2 == 0 ? even : odd }
      let number = system.computed { () -> Int in
        evaluations += 1
        return parity.value.number
      }
      number.add(Told(), in: system)
      try a.set(2)
      expect(evaluations, is: 1)
      try a.set(3)
      expect([evaluations, number.value], is: [2, 1])
    },
    Claim("nil is a value as any other") { system in
      let told = Told<Int?>()
      let a = system.source(Int?.none)
      let double = system.computed { a.value.map { $0 * 2 } }
      double.add(told, in: system)
      try a.set(nil)
      try a.set(1)
      try a.set(nil)
      expect(told.values, is: [2, nil])
    },
    Claim("a combiner's result goes through its cut-off") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let coarse = system.combiner(.every, 0, isDuplicate: { $0 / 10 == $1 / 10 }).weave(a).handle { a.value }
      coarse.add(told, in: system)
      try a.set(5)
      expect(coarse.value, is: 0)
      try a.set(12)
      try a.set(13)
      expect(told.values, is: [12])
      expect(coarse.value, is: 12)
    },
  ]
}
