// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let dynamicDependencies: [Claim] = [
    Claim("S0-D2 a computed follows the branch that it reads, and no other, observed or not") { system in
      for isObserved in [true, false] {
        let evaluations = Runs()
        let isLeft = system.source(true)
        let left = system.source("l")
        let right = system.source("r")
        let side = system.computed(counting: evaluations) { isLeft.value ? left.value : right.value }
        if isObserved { side.add(Told(), in: system) }
        expect(side.value, is: "l")
        try isLeft.set(false)
        expect(side.value, is: "r")
        try left.set("L")
        expect(side.value, is: "r")
        expect(evaluations.count, is: 2)
        try right.set("R")
        expect(side.value, is: "R")
      }
    },
    Claim("S0-D2 a branch that comes back is followed again") { system in
      let isLeft = system.source(true)
      let left = system.source(1)
      let side = system.computed { isLeft.value ? left.value : 0 }
      let told = side.told(in: system)
      try isLeft.set(false)
      try left.set(5)
      try isLeft.set(true)
      try left.set(6)
      expect(told.values, is: [0, 5, 6])
    },
    Claim("the order in which inputs are read may change") { system in
      let swap = system.source(false)
      let a = system.source(1)
      let b = system.source(2)
      let pair = system.computed {
        swap.value ? [b.value, a.value] : [a.value, b.value]
      }
      expect(pair.value, is: [1, 2])
      try swap.set(true)
      expect(pair.value, is: [2, 1])
      try a.set(3)
      expect(pair.value, is: [2, 3])
      try b.set(4)
      expect(pair.value, is: [4, 3])
    },
    Claim("a formula may read a node in a loop until a condition holds") { system in
      let numbers = (0..<5).map { system.source($0) }
      let evaluations = Runs()
      let first = system.computed(counting: evaluations) { () -> Int in
        for number in numbers where number.value >= 2 { return number.value }
        return -1
      }
      first.add(Told(), in: system)
      expect(first.value, is: 2)
      try numbers[4].set(40)
      expect(evaluations.count, is: 1)
      try numbers[1].set(9)
      expect(first.value, is: 9)
      try numbers[2].set(8)
      expect(evaluations.count, is: 2)
    },
    Claim("nothing is an input any more when a formula comes to read nothing") { system in
      let once = system.source(true)
      let a = system.source(1)
      let evaluations = Runs()
      var isOver = false
      let answer = system.computed(counting: evaluations) { isOver ? 0 : (once.value ? a.value : 0) }
      answer.add(Told(), in: system)
      isOver = true
      try a.set(2)
      expect(answer.value, is: 0)
      let before = evaluations.count
      try a.set(3)
      try once.set(false)
      expect(evaluations.count, is: before)
    },
    Claim("both branches changing in one transaction give one evaluation, of the new branch") { system in
      var seen: [Int] = []
      let isLeft = system.source(true)
      let left = system.source(1)
      let right = system.source(2)
      let side = system.computed { () -> Int in
        let value = isLeft.value ? left.value : right.value
        seen.append(value)
        return value
      }
      side.add(Told(), in: system)
      try system.transaction {
        try left.set(10)
        try right.set(20)
        try isLeft.set(false)
      }
      expect(seen, is: [1, 20])
    },
    Claim("a node that a listener's handler reads is nobody's input") { system in
      var tellings = 0
      let a = system.source(1)
      let b = system.source(1)
      let sum = system.computed { a.value }
      sum.add(
        system.listener { _ in
          tellings += 1
          _ = b.value
        })
      try a.set(2)
      try b.set(2)
      expect(tellings, is: 1)
    },
    Claim("a node that a combiner's handler reads while a computed is evaluated is no input of the computed") {
      system in
      let a = system.source(1)
      let hidden = system.source(1)
      let evaluations = Runs()
      let combiner = system.every(0, of: a) { a.value + hidden.value }
      let computed = system.computed(counting: evaluations) { combiner.value }
      computed.add(Told(), in: system)
      try a.set(2)
      let before = evaluations.count
      try hidden.set(50)
      expect(evaluations.count, is: before)
      expect(computed.value, is: 3)
    },
    Claim("a listener's replay within a formula makes no input of the formula") { system in
      let a = system.source(1)
      let b = system.source(1)
      let evaluations = Runs()
      let outer = system.computed(counting: evaluations) { () -> Int in
        a.add(system.listener { _ in _ = b.value }, replay: true)
        return evaluations.count
      }
      expect(outer.value, is: 1)
      try b.set(2)
      expect(outer.value, is: 1)
    },
  ]
}
