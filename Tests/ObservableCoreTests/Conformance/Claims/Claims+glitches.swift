// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let diamonds = Derived.triples.map { left, right, bottom in
    Claim(
      "S0-D2 S0-22 a diamond of a \(left) and a \(right) into a \(bottom) runs once, sees one time, and is told once"
    ) { system in
      var seen: [[Int]] = []
      let a = system.source(1)
      let tens = system.derived(left, 10, of: a) { a.value * 10 }
      let hundreds = system.derived(right, 100, of: a) { a.value * 100 }
      let sum = system.derived(bottom, 111, of: hundreds, tens, a) {
        seen.append([a.value, tens.value, hundreds.value])
        return a.value + tens.value + hundreds.value
      }
      let told = sum.told(in: system)
      seen = []
      try a.set(2)
      try a.set(3)
      expect(seen, is: [[2, 20, 200], [3, 30, 300]])
      expect(told.values, is: [222, 333])
    }
  }

  static let grids = Derived.allCases.map { kind in
    Claim("a grid of \(kind)s runs once a node") { system in
      let runs = Runs()
      let a = system.source(0)
      var layers: [[Readable<Int>]] = [[a, a, a]]
      for _ in 0..<6 {
        let below = layers[layers.count - 1]
        layers.append(
          (0..<3).map { column in
            system.derived(kind, -1, of: below[0], below[1], below[2]) {
              runs.count += 1
              return below.reduce(column + a.value) { ($0 + $1.value) % 1000 }
            }
          })
      }
      for node in layers[6] { node.add(Told(), in: system) }
      runs.count = 0
      try a.set(1)
      expect(runs.count, is: 18)
    }
  }

  static let glitches: [Claim] = [
    Claim("listeners of every node of a diamond see all of it settled, and computeds that nobody observes") { system in
      var seen: [[Int]] = []
      let a = system.source(1)
      let tens = system.every(10, of: a) { a.value * 10 }
      let hundreds = system.computed { a.value * 100 }
      let lazy = system.computed { tens.value + hundreds.value + a.value }
      for node in [a, tens, hundreds] {
        node.add(system.listener { _ in seen.append([a.value, tens.value, hundreds.value, lazy.value]) })
      }
      try a.set(2)
      expect(seen, is: Array(repeating: [2, 20, 200, 222], count: 3))
    },
    Claim("a side of a diamond that fails does not show the other side old") { system in
      var seen: [Int] = []
      let a = system.source(1)
      let checked = system.computed { () throws -> Int in
        if a.value < 0 { throw Failure("negative") }
        return a.value
      }
      let double = system.computed { a.value * 2 }
      let bottom = system.computed { () -> Int in
        let value = (try? checked.get()) ?? 0
        seen.append(value * 1000 + double.value)
        return value
      }
      bottom.add(Told(), in: system)
      try a.set(-1)
      try a.set(3)
      expect(seen, is: [1002, -2, 3006])
    },
  ]
}
