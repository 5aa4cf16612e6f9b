// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let innerWrites: [Claim] = [
    Claim("S0-10 a listener that writes the source leaves none of that, a computed or a combiner with an older value") {
      system in
      for kind in 0..<3 {
        let a = system.source(0)
        let node = [a, system.computed { a.value }, system.every(0, of: a) { a.value }][kind]
        let first = node.told(in: system)
        node.add(system.listener { if $0 == 1 { try a.set(2) } })
        let last = node.told(in: system)
        try a.set(1)
        expect(node.value, is: 2)
        expect(first.values, is: [1, 2])
        expect(last.values, is: [2])
      }
    },
    Claim("a listener's write is settled before the next listener looks") { system in
      var seen: [[Int]] = []
      let a = system.source(0)
      let b = system.source(0)
      let tens = system.every(0, of: b) { b.value * 10 }
      let hundreds = system.computed { b.value * 100 }
      a.add(system.listener { try b.set($0) })
      a.add(system.listener { seen.append([$0, b.value, tens.value, hundreds.value]) })
      try a.set(3)
      expect(seen, is: [[3, 3, 30, 300]])
    },
    Claim("a listener that keeps two sources equal settles") { system in
      let a = system.source(0)
      let b = system.source(0)
      a.add(system.listener { try b.set($0) })
      b.add(system.listener { try a.set($0) })
      let pair = system.computed { "\(a.value) \(b.value)" }
      let told = pair.told(in: system)
      try a.set(1)
      try b.set(2)
      expect([a.value, b.value], is: [2, 2])
      expect(told.values.last, is: "2 2")
    },
    Claim("a listener that counts down is told of every step") { system in
      let told = Told<Int>()
      let a = system.source(0)
      a.add(
        system.listener {
          told.values.append($0)
          if $0 > 0 { try a.set($0 - 1) }
        })
      try a.set(5)
      expect(told.values, is: [5, 4, 3, 2, 1, 0])
    },
    Claim("an inner transaction of a listener joins the outer one") { system in
      let a = system.source(0)
      let b = system.source(0)
      let c = system.source(0)
      let sum = system.computed { b.value + c.value }
      let told = sum.told(in: system)
      a.add(
        system.listener { value in
          try system.transaction {
            try b.set(value)
            try c.set(value)
          }
        })
      try a.set(3)
      expect(told.values, is: [6])
    },
    Claim("a computed that moved and came back while others were told is told to nobody") { system in
      let a = system.source(0)
      let b = system.source(0)
      let sign = system.computed { b.value.signum() }
      let told = sign.told(in: system)
      a.add(system.listener { _ in try b.set(5) })
      a.add(system.listener { _ in try b.set(0) })
      try a.set(1)
      expect(told.values, is: [])
    },
    Claim("a write in a formula is refused, also within untracked or a transaction, and nothing is written") {
      system in
      let b = system.source(1)
      let writes: [() throws -> Void] = [
        { try b.set(2) }, { try b.change { $0 += 1 } },
        { try system.untracked { try b.set(2) } }, { try system.transaction { try b.set(2) } },
      ]
      for write in writes {
        let computed = system.computed { () throws -> Int in
          try write()
          return 0
        }
        expectRefusal { _ = try computed.get() }
        expect(b.value, is: 1)
      }
    },
    Claim("a write in a formula that a body or a listener makes evaluate is refused too") { system in
      let a = system.source(0)
      let b = system.source(1)
      let computed = system.computed { () throws -> Int in
        try b.set(a.value)
        return a.value
      }
      var refusals = 0
      func read() {
        if (try? computed.get()) == nil { refusals += 1 }
      }
      a.add(system.listener { _ in read() })
      try system.transaction {
        read()
        try a.set(1)
      }
      expect([refusals, b.value], is: [2, 1])
    },
    Claim("a combiner's handler may write other sources") { system in
      let a = system.source(0)
      let (x, y) = (system.source(0), system.source(0))
      let split = system.every(0, of: a) {
        try x.set(a.value / 10)
        try y.set(a.value % 10)
        return a.value
      }
      let pair = system.computed { "\(x.value),\(y.value)" }
      let told = pair.told(in: system)
      try a.set(42)
      expect(told.values, is: ["4,2"])
      withExtendedLifetime(split) {}
    },
    Claim("a write as a listener's captured object goes is not lost") { system in
      let target = system.source(0)
      let told = target.told(in: system)
      let a = system.source(0)
      var dropped: Combiner<Int>?
      do {
        let farewell = Farewell { try? target.set(1) }
        dropped = system.every(0, of: a) { withExtendedLifetime(farewell) { 0 } }
      }
      a.add(system.listener { _ in dropped = nil })
      try a.set(1)
      expect(target.value, is: 1)
      expect(told.values, is: [1])
      expect(dropped == nil, is: true)
    },
  ]
}
