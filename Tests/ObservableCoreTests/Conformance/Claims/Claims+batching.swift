// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let batching: [Claim] = [
    Claim("a body reads its own writes, and each listener is told once when it is over, with the newest value") {
      system in
      let a = system.source(0)
      let told = a.told(in: system)
      let answer = try system.transaction {
        for value in 1...500 {
          try a.set(value)
          expect(a.value, is: value)
          expect(told.values, is: [])
        }
        return a.value * 2
      }
      expect(answer, is: 1000)
      expect(told.values, is: [500])
      expect(try system.transaction { a.value }, is: 500)
      expect(told.values, is: [500])
    },
    Claim("S0-D3 a transaction of several writes runs each handler once") { system in
      let runs = Runs()
      let a = system.source(0)
      let b = system.source(0)
      let sum = system.every(0, of: a, b, counting: runs) { a.value + b.value }
      let told = sum.told(in: system)
      try system.transaction {
        try a.set(1)
        try b.set(2)
      }
      expect(runs.count, is: 1)
      expect(told.values, is: [3])
    },
    Claim("a computed read in a body is fresh, whether observed or not, and a combiner is as before") { system in
      let a = system.source(1)
      let lazy = system.computed { a.value * 2 }
      let observed = system.computed { a.value * 3 }
      let combiner = system.every(0, of: a) { a.value * 4 }
      observed.add(Told(), in: system)
      try system.transaction {
        try a.set(2)
        expect([lazy.value, observed.value, combiner.value], is: [4, 6, 0])
        try a.set(3)
        expect([lazy.value, observed.value, combiner.value], is: [6, 9, 0])
      }
      expect([lazy.value, observed.value, combiner.value], is: [6, 9, 12])
    },
    Claim("a computed of a combiner that a body read first is brought up to date before a combiner of it runs") {
      system in
      var seen: [[Int]] = []
      let a = system.source(1)
      let b = system.source(1)
      let tens = system.every(10, of: a) { a.value * 10 }
      let more = system.computed { tens.value + 1 }
      let both = system.every(0, of: more, b) {
        seen.append([more.value, b.value])
        return 0
      }
      try system.transaction {
        try a.set(2)
        try b.set(2)
        _ = more.value
      }
      try system.transaction {
        _ = more.value
        try b.set(3)
        try a.set(3)
        _ = more.value
      }
      expect(seen, is: [[21, 2], [31, 3]])
      withExtendedLifetime(both) {}
    },
    Claim("an equal write in a body that read a computed of the source runs nobody") { system in
      let runs = Runs()
      let a = system.source(1)
      let b = system.source(1)
      let combiner = system.every(-1, of: a, counting: runs) { a.value }
      let next = system.every(-1, of: combiner) { combiner.value }
      let tens = system.every(-1, of: b) { b.value * 10 }
      let sum = system.computed { next.value + a.value + tens.value }
      expect(sum.value, is: -1)
      try a.set(2)
      expect(runs.count, is: 1)
      try system.transaction {
        try b.set(2)
        expect(sum.value, is: 3)
        try a.set(2)
      }
      expect([runs.count, combiner.value, sum.value], is: [1, 2, 24])
    },
    Claim("a write that is taken back is none") { system in
      let runs = Runs()
      let a = system.source(1)
      let combiner = system.every(0, of: a, counting: runs) { a.value }
      let told = a.told(in: system)
      try system.transaction {
        try a.set(2)
        try a.set(1)
      }
      expect(told.values, is: [])
      expect([runs.count, combiner.value], is: [0, 0])
    },
    Claim("a transaction within another joins it, and keeps its writes if its body throws and that is caught") {
      system in
      let a = system.source(0)
      let told = a.told(in: system)
      try system.transaction {
        try system.transaction { try a.set(1) }
        expect(told.values, is: [])
        try? system.transaction {
          try a.set(7)
          throw Failure("inner")
        }
        expect(told.values, is: [])
      }
      expect(a.value, is: 7)
      expect(told.values, is: [7])
    },
    Claim("the policy of an inner transaction is the outer one's") { system in
      let a = system.source(0)
      a.add(system.listener { _ in throw Failure("told") })
      expect(failure: "told") {
        try system.transaction(.finish) { try system.transaction(.undo) { try a.set(1) } }
      }
      expect(a.value, is: 1)
    },
  ]
}
