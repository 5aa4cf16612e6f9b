// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let lateHandlers = Derived.allCases.map { kind in
    Claim("S0-20 a change of a source or a \(kind) before its combiner has a handler is not made up for") { system in
      for strategy in [CombineStrategy.every, .first, .all] {
        let a = system.source(0)
        let isBig = system.derived(kind, false, of: a) { a.value > 10 }
        let runs = Runs()
        let late = system.combiner(strategy, -1).weave(isBig)
        let ofSource = system.combiner(strategy, -1).weave(a)
        try a.set(11)
        late.handle(counting: runs) { a.value }
        ofSource.handle { a.value }
        expect([late.value, ofSource.value], is: [-1, -1])
        try a.set(12)
        expect([runs.count, late.value, ofSource.value], is: [0, -1, 12])
        try a.set(2)
        expect([runs.count, late.value], is: [1, 2])
      }
    }
  }

  static let propagation: [Claim] = [
    Claim("S0-1 a source holds the value it was made with") { system in
      expect(system.source(3).value, is: 3)
      expect(system.source("three").value, is: "three")
      expect(system.source(Int?.none).value, is: nil)
    },
    Claim(
      "S0-1 S0-2 listeners of a source, a computed and a combiner are told before the write returns, and not as they join"
    ) { system in
      let told = Told<Int>()
      let a = system.source(1)
      let tens = system.computed { a.value * 10 }
      let hundreds = system.every(0, of: a) { a.value * 100 }
      for node in [a, tens, hundreds] { node.add(told, in: system) }
      try a.set(4)
      expect(told.values.sorted(), is: [4, 40, 400])
    },
    Claim(
      "S0-14 S0-15 a combiner `every` runs on each change of an input, with the values of all, and not when it is made"
    ) {
      system in
      var seen: [String] = []
      let a = system.source("a")
      let b = system.source(1)
      let both = system.every("none", of: a, b) {
        seen.append("\(a.value)\(b.value)")
        return a.value
      }
      expect(seen, is: [])
      expect(both.value, is: "none")
      try a.set("x")
      try b.set(2)
      expect(seen, is: ["x1", "x2"])
      expect(both.value, is: "x")
    },
    Claim("S0-16 a combiner `first` runs once in its life") { system in
      let a = system.source(0)
      let b = system.source(5)
      let first = system.combiner(.first, -1).weave(a, b).handle { a.value + b.value }
      try a.set(1)
      try b.set(9)
      try a.set(7)
      expect(first.value, is: 6)
    },
    Claim("S0-17 S0-18 a combiner `all` waits for every input to have changed, then runs on each change") { system in
      var seen: [Int] = []
      let a = system.source(0)
      let b = system.source(0)
      let all = system.combiner(.all, -1).weave(a, b).handle {
        seen.append(a.value * 10 + b.value)
        return 0
      }
      try b.set(1)
      try b.set(2)
      try a.set(0)
      expect(seen, is: [])
      try a.set(1)
      try b.set(3)
      expect(seen, is: [12, 13])
      withExtendedLifetime(all) {}
    },
    Claim("S0-D2 an input woven in later counts from then on") { system in
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
      let runs = Runs()
      let all = system.combiner(.all, 0).weave(a).handle(counting: runs) { runs.count }
      try a.set(1)
      expect(runs.count, is: 1)
      all.weave(b)
      try a.set(2)
      expect(runs.count, is: 1)
      try b.set(1)
      expect(runs.count, is: 2)
    },
    Claim("a combiner can be written as any source, until its handler runs") { system in
      let a = system.source(1)
      let held = system.every(0, of: a) { a.value }
      let told = held.told(in: system)
      try held.set(50)
      try a.set(2)
      expect(told.values, is: [50, 2])
    },
    Claim("a computed that reads nothing is evaluated once") { system in
      let evaluations = Runs()
      let constant = system.computed(counting: evaluations) { 7 }
      expect([constant.value, constant.value], is: [7, 7])
      try system.source(0).set(1)
      expect(constant.value, is: 7)
      expect(evaluations.count, is: 1)
    },
    Claim("S0-20 a hundred inputs are as good as two, also if they are woven in one at a time") { system in
      let inputs = (0..<100).map { system.source($0) }
      let sum = system.computed { inputs.reduce(0) { $0 + $1.value } }
      let all = system.combiner(.all, 0)
      for input in inputs { all.weave(input).handle { inputs.reduce(0) { $0 + $1.value } } }
      expect(sum.value, is: 4950)
      for input in inputs {
        expect(all.value, is: 0)
        try input.set(input.value + 1)
      }
      expect([sum.value, all.value], is: [5050, 5050])
    },
  ]
}
