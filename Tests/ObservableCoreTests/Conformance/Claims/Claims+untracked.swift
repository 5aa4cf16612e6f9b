// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let untracked: [Claim] = [
    Claim("a node that is read untracked is fresh, and no input, be it a source or a computed") { system in
      for isComputed in [false, true] {
        let evaluations = Runs()
        let a = system.source(1)
        let (b, double) = system.doubled(1)
        let read = isComputed ? double : b
        let sum = system.computed(counting: evaluations) { a.value + system.untracked { read.value } }
        sum.add(Told(), in: system)
        let before = sum.value
        try b.set(5)
        expect([evaluations.count, sum.value], is: [1, before])
        try a.set(2)
        expect([evaluations.count, sum.value], is: [2, isComputed ? 12 : 7])
      }
    },
    Claim("untracked nests, reading after it is tracked again, and a node that is read both ways is an input") {
      system in
      let (a, b) = (system.source(1), system.source(1))
      let nested = system.computed { system.untracked { system.untracked { a.value } + b.value } }
      let after = system.computed { system.untracked { a.value } + b.value }
      let both = system.computed { system.untracked { a.value } + a.value }
      expect([nested.value, after.value, both.value], is: [2, 2, 2])
      try a.set(5)
      expect([nested.value, after.value, both.value], is: [2, 2, 10])
      try b.set(5)
      expect([nested.value, after.value, both.value], is: [2, 10, 10])
    },
    Claim("a computed that is evaluated within untracked still has inputs of its own") { system in
      let b = system.source(1)
      let double = system.computed { b.value * 2 }
      expect(system.untracked { double.value }, is: 2)
      let told = double.told(in: system)
      try b.set(3)
      expect(told.values, is: [6])
    },
    Claim("an error passes through untracked, and tracking goes on after it") { system in
      let a = system.source(1)
      let sum = system.computed { () throws -> Int in
        do { try system.untracked { throw Failure("inside") } } catch is Failure {}
        return a.value
      }
      expect(sum.value, is: 1)
      try a.set(2)
      expect(sum.value, is: 2)
    },
    Claim("untracked outside of every formula just reads, and writes") { system in
      let a = system.source(1)
      let told = a.told(in: system)
      expect(system.untracked { a.value }, is: 1)
      let answer = try system.transaction {
        try system.untracked { try a.set(4) }
        return system.untracked { a.value }
      }
      expect(answer, is: 4)
      expect(told.values, is: [4])
    },
    Claim("a cycle through untracked is a cycle") { system in
      let holder = Told<Readable<Int>>()
      let one = system.computed(name: "one") { [unowned holder] in
        try system.untracked { try holder.values[0].get() + 1 }
      }
      let two = system.computed(name: "two") { try one.get() + 1 }
      holder.values.append(two)
      expect(cycle: ["one", "two"]) { _ = try one.get() }
      holder.values = []
    },
  ]
}
