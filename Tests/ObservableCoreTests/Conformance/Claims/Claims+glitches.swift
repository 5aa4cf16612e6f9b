// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let glitches: [Claim] = [
    Claim("a diamond of computeds is evaluated and told once") { system in
      let told = Told<Int>()
      var evaluations = 0
      let a = system.source(1)
      let tens = system.computed { a.value * 10 }
      let hundreds = system.computed { a.value * 100 }
      let sum = system.computed { () -> Int in
        evaluations += 1
        return tens.value + hundreds.value
      }
      sum.add(told, in: system)
      try a.set(2)
      try a.set(3)
      expect(told.values, is: [220, 330])
      expect(evaluations, is: 3)
    },
    Claim("a diamond of combiners runs and is told once") { system in
      let told = Told<Int>()
      var runs = 0
      let a = system.source(1)
      let tens = system.every(0, of: a) { a.value * 10 }
      let hundreds = system.every(0, of: a) { a.value * 100 }
      let sum = system.every(0, of: tens, hundreds) {
        runs += 1
        return tens.value + hundreds.value
      }
      sum.add(told, in: system)
      try a.set(2)
      try a.set(3)
      expect(told.values, is: [220, 330])
      expect(runs, is: 2)
    },
    Claim("a diamond of a computed and a combiner into a combiner runs once") { system in
      var seen: [[Int]] = []
      let a = system.source(1)
      let tens = system.computed { a.value * 10 }
      let hundreds = system.every(100, of: a) { a.value * 100 }
      let sum = system.every(0, of: hundreds, tens, a) {
        seen.append([a.value, tens.value, hundreds.value])
        return 0
      }
      try a.set(2)
      try a.set(3)
      expect(seen, is: [[2, 20, 200], [3, 30, 300]])
      withExtendedLifetime(sum) {}
    },
    Claim("a diamond of a computed and a combiner into a computed is evaluated once") { system in
      var seen: [[Int]] = []
      let a = system.source(1)
      let tens = system.computed { a.value * 10 }
      let hundreds = system.every(100, of: a) { a.value * 100 }
      let sum = system.computed { () -> Int in
        seen.append([a.value, tens.value, hundreds.value])
        return tens.value + hundreds.value
      }
      sum.add(Told(), in: system)
      try a.set(2)
      try a.set(3)
      expect(seen, is: [[1, 10, 100], [2, 20, 200], [3, 30, 300]])
    },
    Claim("paths of different lengths meet at one time") { system in
      var seen: [[Int]] = []
      let a = system.source(0)
      let one = system.computed { a.value + 1 }
      let two = system.computed { one.value + 1 }
      let three = system.computed { two.value + 1 }
      let all = system.computed { () -> Int in
        seen.append([a.value, two.value, three.value])
        return a.value
      }
      all.add(Told(), in: system)
      try a.set(10)
      expect(seen, is: [[0, 2, 3], [10, 12, 13]])
    },
    Claim("paths of different lengths through combiners meet at one time") { system in
      var seen: [[Int]] = []
      let a = system.source(0)
      let last = system.combiner(.every, 0)
      let one = system.every(1, of: a) { a.value + 1 }
      let two = system.every(2, of: one) { one.value + 1 }
      let three = system.every(3, of: two) { two.value + 1 }
      last.weave(a, three, one).handle {
        seen.append([a.value, one.value, three.value])
        return 0
      }
      try a.set(10)
      expect(seen, is: [[10, 11, 13]])
    },
    Claim("chains that alternate combiners and computeds run each link once") { system in
      var runs = 0
      let a = system.source(0)
      var last: Readable<Int> = a
      for index in 0..<10 {
        let input = last
        if index % 2 == 0 {
          last = system.every(-1, of: input) {
            runs += 1
            return input.value + 1
          }
        } else {
          last = system.computed {
            runs += 1
            return input.value + 1
          }
        }
      }
      last.add(Told(), in: system)
      runs = 0
      try a.set(1)
      expect([runs, last.value], is: [10, 11])
      try a.set(2)
      expect([runs, last.value], is: [20, 12])
    },
    Claim("listeners of every node of a diamond see all of it settled") { system in
      var seen: [[Int]] = []
      let a = system.source(1)
      let tens = system.every(10, of: a) { a.value * 10 }
      let hundreds = system.computed { a.value * 100 }
      for node in [a, tens, hundreds] {
        node.add(system.listener { _ in seen.append([a.value, tens.value, hundreds.value]) })
      }
      try a.set(2)
      expect(seen, is: [[2, 20, 200], [2, 20, 200], [2, 20, 200]])
    },
    Claim("a grid of diamonds is evaluated once a node") { system in
      var evaluations = 0
      let a = system.source(0)
      var layer: [Readable<Int>] = [a, a, a]
      for _ in 0..<6 {
        let below = layer
        layer = (0..<3).map { column in
          system.computed {
            evaluations += 1
            return below.reduce(column) { ($0 + $1.value) % 1000 }
          }
        }
      }
      for node in layer { node.add(Told(), in: system) }
      expect(evaluations, is: 18)
      try a.set(1)
      expect(evaluations, is: 36)
    },
    Claim("a grid of combiners runs once a node") { system in
      var runs = 0
      let a = system.source(0)
      var layers: [[Readable<Int>]] = [[a, a, a]]
      for layer in 0..<6 {
        let below = layers[layer]
        layers.append(
          (0..<3).map { column in
            system.every(-1, of: below[0], below[1], below[2]) {
              runs += 1
              return below.reduce(column + a.value) { ($0 + $1.value) % 1000 }
            }
          })
      }
      try a.set(1)
      expect(runs, is: 18)
    },
    Claim("two sources written as one are seen as one") { system in
      var seen: [String] = []
      let first = system.source("a")
      let last = system.source("b")
      let name = system.computed { first.value + last.value }
      let upper = system.every("", of: first, last) { first.value.uppercased() + last.value.uppercased() }
      name.add(system.listener { seen.append($0) })
      upper.add(system.listener { seen.append($0) })
      try system.transaction {
        try first.set("x")
        try last.set("y")
      }
      expect(Set(seen), is: ["xy", "XY"])
      expect(seen.count, is: 2)
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
    Claim("a listener reads a computed nobody observes, and it is settled too") { system in
      var seen: [Int] = []
      let a = system.source(1)
      let tens = system.every(0, of: a) { a.value * 10 }
      let lazy = system.computed { tens.value + a.value }
      a.add(system.listener { _ in seen.append(lazy.value) })
      try a.set(2)
      try a.set(3)
      expect(seen, is: [22, 33])
    },
  ]
}
