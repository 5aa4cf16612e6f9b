// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let nesting: [Claim] = [
    Claim("a computed made in a formula is read as any other, and its change is told to the outer one's listener") {
      system in
      let a = system.source(1)
      let outer = system.computed {
        let inner = system.computed { a.value * 2 }
        return inner.value + 1
      }
      let told = outer.told(in: system)
      try a.set(5)
      try a.set(6)
      expect(told.values, is: [11, 13])
    },
    Claim("after an inner formula is over, or threw, the outer one goes on finding its own inputs") { system in
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
      try b.set(30)
      expect(outer.value, is: 29)
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
    Claim("a combiner made by the handler of a listener or a combiner runs from the next change on") { system in
      let made = Told<Combiner<Int>>()
      let a = system.source(1)
      func make() {
        if made.values.count < 2 { made.values.append(system.every(-1, of: a) { a.value }) }
      }
      let outer = system.every(0, of: a) {
        make()
        return a.value
      }
      a.add(system.listener { _ in make() })
      try a.set(2)
      expect([outer.value] + made.values.map(\.value), is: [2, -1, -1])
      try a.set(3)
      expect([outer.value] + made.values.map(\.value), is: [3, 3, 3])
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
    Claim("a combiner woven in a body runs for later writes, and not for earlier ones") { system in
      for isWrittenLater in [false, true] {
        let a = system.source(1)
        let runs = Runs()
        let combiner = try system.transaction {
          try a.set(2)
          let combiner = system.every(-1, of: a, counting: runs) { a.value }
          if isWrittenLater { try a.set(3) }
          return combiner
        }
        expect([runs.count, combiner.value], is: isWrittenLater ? [1, 3] : [0, -1])
        try a.set(4)
        expect(combiner.value, is: 4)
      }
    },
    Claim("a listener that subscribes after a write that is then taken back has the last value") { system in
      let told = Told<Int>()
      let a = system.source(0)
      try system.transaction {
        try a.set(1)
        a.add(system.listener { told.values.append($0) }, replay: true)
        try a.set(0)
      }
      expect(told.values, is: [1, 0])
    },
    Claim("a listener that subscribes between two writes that are no change is told nothing") { system in
      let told = Told<Int>()
      let a = system.source(0)
      try system.transaction {
        try a.set(0)
        a.add(told, in: system)
        try a.set(0)
      }
      expect(told.values, is: [])
    },
    Claim("S0-9 a listener that subscribes after a write is told of later ones only") { system in
      let a = system.source(1)
      for node in [a, system.computed { a.value * 2 }] {
        try a.set(1)
        let told = try system.transaction {
          try a.set(2)
          return node.told(in: system)
        }
        expect(told.values, is: [])
        try system.transaction {
          try a.set(3)
          try a.set(2)
        }
        expect(told.values, is: [])
        try a.set(3)
        expect(told.values, is: [node.value])
      }
    },
  ]
}
