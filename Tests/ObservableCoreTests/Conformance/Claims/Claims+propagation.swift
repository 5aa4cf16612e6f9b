// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let propagation: [Claim] = [
    Claim("a source holds the value it was made with") { system in
      expect(system.source(3).value, is: 3)
      expect(system.source("three").value, is: "three")
      expect(system.source(Int?.none).value, is: nil)
    },
    Claim("a listener is told of a write before the write returns") { system in
      let told = Told<Int>()
      let a = system.source(1)
      a.add(told, in: system)
      try a.set(2)
      expect(told.values, is: [2])
    },
    Claim("making and listening tell nobody") { system in
      let told = Told<Int>()
      let a = system.source(1)
      a.add(told, in: system)
      system.computed { a.value }.add(told, in: system)
      system.every(0, of: a) { a.value }.add(told, in: system)
      expect(told.values, is: [])
    },
    Claim("a computed gives what its formula makes of its inputs") { system in
      let a = system.source(1)
      let double = system.computed { a.value * 2 }
      expect(double.value, is: 2)
      try a.set(4)
      expect(double.value, is: 8)
    },
    Claim("a listener of a computed is told before the write returns") { system in
      let told = Told<Int>()
      let a = system.source(1)
      let double = system.computed { a.value * 2 }
      double.add(told, in: system)
      try a.set(4)
      expect(told.values, is: [8])
    },
    Claim("a listener of a combiner is told before the write returns") { system in
      let told = Told<Int>()
      let a = system.source(1)
      let double = system.every(0, of: a) { a.value * 2 }
      double.add(told, in: system)
      try a.set(4)
      expect(told.values, is: [8])
    },
    Claim("a chain of computeds carries a write to its end") { system in
      let told = Told<Int>()
      let a = system.source(0)
      var last = system.computed { a.value + 1 }
      for _ in 0..<20 {
        let input = last
        last = system.computed { input.value + 1 }
      }
      last.add(told, in: system)
      try a.set(5)
      expect(told.values, is: [26])
    },
    Claim("a chain of combiners carries a write to its end") { system in
      let a = system.source(0)
      var last = system.every(0, of: a) { a.value + 1 }
      for _ in 0..<20 {
        let input = last
        last = system.every(0, of: input) { input.value + 1 }
      }
      try a.set(5)
      expect(last.value, is: 26)
    },
    Claim("a computed of a combiner and a combiner of a computed both follow the source") { system in
      let a = system.source(1)
      let tens = system.every(10, of: a) { a.value * 10 }
      let more = system.computed { tens.value + 1 }
      let most = system.every(0, of: more) { more.value + 1000 }
      try a.set(2)
      expect([tens.value, more.value, most.value], is: [20, 21, 1021])
      try a.set(3)
      expect([tens.value, more.value, most.value], is: [30, 31, 1031])
    },
    Claim("a computed of several types of value") { system in
      let name = system.source("ann")
      let age = system.source(Int?.none)
      let line = system.computed { age.value.map { "\(name.value), \($0)" } ?? name.value }
      expect(line.value, is: "ann")
      try age.set(30)
      expect(line.value, is: "ann, 30")
      try name.set("bob")
      expect(line.value, is: "bob, 30")
    },
    Claim("a combiner's handler gets the present value of every input, not only of the one that changed") { system in
      var seen: [String] = []
      let a = system.source("a")
      let b = system.source(1)
      let both = system.every("", of: a, b) {
        seen.append("\(a.value)\(b.value)")
        return a.value
      }
      try a.set("x")
      try b.set(2)
      expect(seen, is: ["x1", "x2"])
      withExtendedLifetime(both) {}
    },
    Claim("a combiner `every` runs on each change of any input, and not when it is made") { system in
      var runs = 0
      let a = system.source(0)
      let b = system.source(0)
      let sum = system.every(-1, of: a, b) {
        runs += 1
        return a.value + b.value
      }
      expect(runs, is: 0)
      expect(sum.value, is: -1)
      try a.set(1)
      try b.set(1)
      expect(runs, is: 2)
      expect(sum.value, is: 2)
    },
    Claim("a combiner `first` runs once in its life") { system in
      let a = system.source(0)
      let b = system.source(5)
      let first = system.combiner(.first, -1).weave(a, b).handle { a.value + b.value }
      try a.set(1)
      try b.set(9)
      try a.set(7)
      expect(first.value, is: 6)
    },
    Claim("a combiner `all` waits for every input to have changed, then runs on each change") { system in
      var seen: [Int] = []
      let a = system.source(0)
      let b = system.source(0)
      let all = system.combiner(.all, -1).weave(a, b).handle {
        seen.append(a.value * 10 + b.value)
        return 0
      }
      try b.set(1)
      try b.set(2)
      expect(seen, is: [])
      try a.set(1)
      try b.set(3)
      expect(seen, is: [12, 13])
      withExtendedLifetime(all) {}
    },
    Claim("a combiner `all` waits for a computed among its inputs too") { system in
      let a = system.source(0)
      let b = system.source(0)
      let isBig = system.computed { a.value > 10 }
      let all = system.combiner(.all, "none").weave(isBig, b).handle { "\(isBig.value) \(b.value)" }
      try a.set(1)
      try b.set(1)
      expect(all.value, is: "none")
      try a.set(11)
      expect(all.value, is: "true 1")
    },
    Claim("a combiner `first` takes the change of a computed for its first") { system in
      let a = system.source(0)
      let isBig = system.computed { a.value > 10 }
      let first = system.combiner(.first, -1).weave(isBig).handle { a.value }
      try a.set(5)
      expect(first.value, is: -1)
      try a.set(12)
      try a.set(3)
      expect(first.value, is: 12)
    },
    Claim("what changed before a combiner has its handler is not made up for") { system in
      let a = system.source(0)
      let late = system.combiner(.every, -1).weave(a)
      try a.set(1)
      late.handle { a.value }
      expect(late.value, is: -1)
      try a.set(2)
      expect(late.value, is: 2)
    },
    Claim("what a computed became before a combiner has its handler is not made up for") { system in
      let a = system.source(0)
      let double = system.computed { a.value * 2 }
      var runs = 0
      let late = system.combiner(.every, -1).weave(double)
      try a.set(1)
      late.handle {
        runs += 1
        return double.value
      }
      try system.source(0).set(1)
      expect(runs, is: 0)
      try a.set(2)
      expect(late.value, is: 4)
    },
    Claim("an input woven in later counts from then on") { system in
      let a = system.source(1)
      let b = system.source(10)
      let sum = system.every(0, of: a) { a.value }
      try a.set(2)
      sum.weave(b).handle { a.value + b.value }
      expect(sum.value, is: 2)
      try b.set(20)
      expect(sum.value, is: 22)
    },
    Claim("an input woven into `all` later is waited for") { system in
      let a = system.source(0)
      let b = system.source(0)
      var runs = 0
      let all = system.combiner(.all, 0).weave(a).handle {
        runs += 1
        return runs
      }
      try a.set(1)
      expect(runs, is: 1)
      all.weave(b)
      try a.set(2)
      expect(runs, is: 1)
      try b.set(1)
      expect(runs, is: 2)
    },
    Claim("an input combined twice makes one run") { system in
      var runs = 0
      let a = system.source(0)
      let twice = system.every(0, of: a, a) {
        runs += 1
        return a.value
      }
      try a.set(1)
      expect([runs, twice.value], is: [1, 1])
    },
    Claim("a combiner can be written as any source, until its handler runs") { system in
      let told = Told<Int>()
      let a = system.source(1)
      let held = system.every(0, of: a) { a.value }
      held.add(told, in: system)
      try held.set(50)
      try a.set(2)
      expect(told.values, is: [50, 2])
    },
    Claim("a computed that reads nothing is evaluated once") { system in
      var evaluations = 0
      let constant = system.computed { () -> Int in
        evaluations += 1
        return 7
      }
      expect([constant.value, constant.value], is: [7, 7])
      try system.source(0).set(1)
      expect(constant.value, is: 7)
      expect(evaluations, is: 1)
    },
    Claim("forty inputs are as good as two") { system in
      let inputs = (0..<40).map { system.source($0) }
      let sum = system.computed { inputs.reduce(0) { $0 + $1.value } }
      let last = system.combiner(.every, 0)
      for input in inputs { last.weave(input) }
      last.handle { inputs.reduce(0) { $0 + $1.value } }
      expect(sum.value, is: 780)
      for input in inputs { try input.set(input.value + 1) }
      expect([sum.value, last.value], is: [820, 820])
    },
  ]
}
