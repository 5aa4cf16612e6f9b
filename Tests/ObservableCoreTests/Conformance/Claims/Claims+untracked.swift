// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let untracked: [Claim] = [
    Claim("what is read untracked is no input") { system in
      var evaluations = 0
      let a = system.source(1)
      let b = system.source(1)
      let sum = system.computed { () -> Int in
        evaluations += 1
        return a.value + system.untracked { b.value }
      }
      sum.add(Told(), in: system)
      try b.set(5)
      expect([evaluations, sum.value], is: [1, 2])
      try a.set(2)
      expect([evaluations, sum.value], is: [2, 7])
    },
    Claim("a computed read untracked is fresh, and no input") { system in
      let a = system.source(1)
      let b = system.source(1)
      let double = system.computed { b.value * 2 }
      let sum = system.computed { a.value + system.untracked { double.value } }
      expect(sum.value, is: 3)
      try b.set(5)
      expect(sum.value, is: 3)
      try a.set(2)
      expect(sum.value, is: 12)
    },
    Claim("reading after untracked is tracked again") { system in
      let a = system.source(1)
      let b = system.source(1)
      let sum = system.computed { system.untracked { a.value } + b.value }
      expect(sum.value, is: 2)
      try b.set(5)
      expect(sum.value, is: 6)
    },
    Claim("what is read both ways is an input") { system in
      let a = system.source(1)
      let sum = system.computed { system.untracked { a.value } + a.value }
      expect(sum.value, is: 2)
      try a.set(3)
      expect(sum.value, is: 6)
    },
    Claim("untracked nests") { system in
      let a = system.source(1)
      let b = system.source(1)
      let sum = system.computed { system.untracked { system.untracked { a.value } + b.value } }
      expect(sum.value, is: 2)
      try a.set(5)
      try b.set(5)
      expect(sum.value, is: 2)
    },
    Claim("a computed that is evaluated within untracked still has inputs of its own") { system in
      let told = Told<Int>()
      let b = system.source(1)
      let double = system.computed { b.value * 2 }
      expect(system.untracked { double.value }, is: 2)
      double.add(told, in: system)
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
    Claim("untracked outside of every formula just reads") { system in
      let a = system.source(1)
      expect(system.untracked { a.value }, is: 1)
      let answer = try system.transaction {
        try a.set(2)
        return system.untracked { a.value }
      }
      expect(answer, is: 2)
    },
    Claim("a write within untracked in a body is a write") { system in
      let told = Told<Int>()
      let a = system.source(1)
      a.add(told, in: system)
      try system.transaction { try system.untracked { try a.set(4) } }
      expect(told.values, is: [4])
    },
    Claim("a cycle through untracked is a cycle") { system in
      let holder = Told<Readable<Int>>()
      let one = system.computed(name: "one") { [unowned holder] in
        try system.untracked { try holder.values[0].get() + 1 }
      }
      let two = system.computed(name: "two") { try one.get() + 1 }
      holder.values.append(two)
      expect(errorOf: { _ = try one.get() }, is: "a cycle") {
        if case SystemError.cycle = $0 { true } else { false }
      }
      holder.values = []
    },
  ]
}
