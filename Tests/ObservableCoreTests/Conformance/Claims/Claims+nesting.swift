// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let nesting: [Claim] = [
    Claim("a computed made in a formula is read as any other") { system in
      let a = system.source(1)
      let outer = system.computed {
        let inner = system.computed { a.value * 2 }
        return inner.value + 1
      }
      expect(outer.value, is: 3)
      try a.set(5)
      expect(outer.value, is: 11)
    },
    Claim("a computed made in a formula tells its change to the outer one's listener") { system in
      let told = Told<Int>()
      let a = system.source(1)
      let outer = system.computed {
        let inner = system.computed { a.value * 2 }
        return inner.value + 1
      }
      outer.add(told, in: system)
      try a.set(5)
      try a.set(6)
      expect(told.values, is: [11, 13])
    },
    Claim("what an inner formula reads is no input of the outer one, only the inner value is") { system in
      var evaluations = 0
      let a = system.source(1)
      let parity = system.computed { a.value % 2 }
      let outer = system.computed { () -> Int in
        evaluations += 1
        return parity.value
      }
      outer.add(Told(), in: system)
      try a.set(3)
      expect(evaluations, is: 1)
    },
    Claim("after reading an inner computed the outer formula goes on finding its own inputs") { system in
      let a = system.source(1)
      let b = system.source(10)
      let inner = system.computed { a.value }
      let outer = system.computed { inner.value + b.value }
      expect(outer.value, is: 11)
      try b.set(20)
      expect(outer.value, is: 21)
    },
    Claim("after an inner formula threw the outer one goes on finding its own inputs") { system in
      let a = system.source(1)
      let b = system.source(10)
      let inner = system.computed { () throws -> Int in
        if a.value > 0 { throw Failure("positive") }
        return a.value
      }
      let outer = system.computed { ((try? inner.get()) ?? 100) + b.value }
      expect(outer.value, is: 110)
      try b.set(20)
      expect(outer.value, is: 120)
      try a.set(-1)
      expect(outer.value, is: 19)
    },
    Claim("a source made in a formula can be read there") { system in
      let a = system.source(1)
      let outer = system.computed { system.source(5).value + a.value }
      expect(outer.value, is: 6)
      try a.set(2)
      expect(outer.value, is: 7)
    },
    Claim("a node made by a listener's handler lives on") { system in
      let made = Told<Readable<Int>>()
      let told = Told<Int>()
      let a = system.source(1)
      a.add(
        system.listener { _ in
          if !made.values.isEmpty { return }
          let double = system.computed { a.value * 2 }
          double.add(told, in: system)
          made.values.append(double)
        })
      try a.set(2)
      expect(told.values, is: [])
      try a.set(3)
      expect(told.values, is: [6])
    },
    Claim("a combiner made by a listener's handler runs from the next change on") { system in
      let made = Told<Combiner<Int>>()
      let a = system.source(1)
      a.add(
        system.listener { _ in
          if made.values.isEmpty { made.values.append(system.every(-1, of: a) { a.value }) }
        })
      try a.set(2)
      expect(made.values.map(\.value), is: [-1])
      try a.set(3)
      expect(made.values.map(\.value), is: [3])
    },
    Claim("a combiner made by a combiner's handler runs from the next change on") { system in
      let made = Told<Combiner<Int>>()
      let a = system.source(1)
      let outer = system.every(0, of: a) {
        if made.values.isEmpty { made.values.append(system.every(-1, of: a) { a.value }) }
        return a.value
      }
      try a.set(2)
      expect([outer.value] + made.values.map(\.value), is: [2, -1])
      try a.set(3)
      expect([outer.value] + made.values.map(\.value), is: [3, 3])
    },
    Claim("nodes made in a transaction's body are part of it") { system in
      let told = Told<Int>()
      let a = system.source(1)
      let double = try system.transaction {
        try a.set(2)
        let double = system.computed { a.value * 2 }
        double.add(told, in: system)
        try a.set(3)
        return double
      }
      expect(told.values, is: [6])
      expect(double.value, is: 6)
    },
    Claim("a combiner woven in a body does not run for what was written before") { system in
      let a = system.source(1)
      var runs = 0
      let combiner = try system.transaction {
        try a.set(2)
        return system.every(-1, of: a) {
          runs += 1
          return a.value
        }
      }
      expect([runs, combiner.value], is: [0, -1])
      try a.set(3)
      expect([runs, combiner.value], is: [1, 3])
    },
    Claim("a combiner woven in a body runs for what is written after") { system in
      let a = system.source(1)
      let combiner = try system.transaction {
        try a.set(2)
        let combiner = system.every(-1, of: a) { a.value }
        try a.set(3)
        return combiner
      }
      expect(combiner.value, is: 3)
    },
    Claim("who subscribes after a write that is then taken back has the last value") { system in
      let told = Told<Int>()
      let a = system.source(0)
      try system.transaction {
        try a.set(1)
        a.add(system.listener { told.values.append($0) }, replay: true)
        try a.set(0)
      }
      expect(told.values, is: [1, 0])
    },
    Claim("who subscribes between two writes that are no change is told nothing") { system in
      let told = Told<Int>()
      let a = system.source(0)
      try system.transaction {
        try a.set(0)
        a.add(told, in: system)
        try a.set(0)
      }
      expect(told.values, is: [])
    },
    Claim("who subscribes to a computed after a write is told of later ones only") { system in
      let told = Told<Int>()
      let a = system.source(1)
      let double = system.computed { a.value * 2 }
      try system.transaction {
        try a.set(2)
        double.add(told, in: system)
      }
      expect(told.values, is: [])
      try system.transaction {
        try a.set(3)
        try a.set(2)
      }
      expect(told.values, is: [])
      try a.set(3)
      expect(told.values, is: [6])
    },
    Claim("formulas nest as deep as computeds read computeds, each evaluated once") { system in
      var evaluations = 0
      let a = system.source(0)
      var last: Readable<Int> = a
      for _ in 0..<50 {
        let input = last
        last = system.computed {
          evaluations += 1
          return input.value + 1
        }
      }
      expect([last.value, evaluations], is: [50, 50])
      try a.set(1)
      expect([last.value, evaluations], is: [51, 100])
    },
  ]
}
