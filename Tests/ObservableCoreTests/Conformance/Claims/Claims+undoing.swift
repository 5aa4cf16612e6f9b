// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let failingFormulas = Derived.allCases.map { kind in
    Claim("with `undo` a \(kind) with a listener that throws takes every value back") { system in
      let a = system.source(1)
      let checked = system.derived(kind, 1, of: a) {
        if a.value < 0 { throw Failure("negative") }
        return a.value
      }
      let told = checked.told(in: system)
      expect(failure: "negative") { try system.transaction(.undo) { try a.set(-1) } }
      expect([a.value, checked.value], is: [1, 1])
      try system.transaction(.undo) { try a.set(2) }
      expect([a.value, checked.value], is: [2, 2])
      expect(told.values, is: [2])
    }
  }

  static let undoing: [Claim] = [
    Claim("a body that throws changes nothing, tells nobody, and its error comes out") { system in
      let told = Told<Int>()
      let (a, double) = system.doubled(1)
      let combiner = system.every(0, of: a) { a.value }
      a.add(told, in: system)
      double.add(told, in: system)
      expectUndone(in: system) { try a.set(2) }
      expect([a.value, double.value, combiner.value], is: [1, 2, 0])
      expect(told.values, is: [])
      try a.set(3)
      expect(told.values, is: [3, 6])
    },
    Claim("a computed that a body read before it threw is as before, also if it was never read before") { system in
      let (a, double) = system.doubled(1)
      let quadruple = system.computed { double.value * 2 }
      let new = system.computed { a.value * 3 }
      expect(quadruple.value, is: 4)
      expectUndone(in: system) {
        try a.set(5)
        expect([quadruple.value, new.value], is: [20, 15])
      }
      expect([double.value, quadruple.value, new.value], is: [2, 4, 3])
      try a.set(3)
      expect([double.value, quadruple.value, new.value], is: [6, 12, 9])
    },
    Claim("a computed that was behind before a body that read it and was undone is not taken to be up to date") {
      system in
      for bodyThrows in [true, false] {
        let a = system.source(1)
        let b = system.source(1)
        let double = system.computed { a.value * 2 }
        b.add(system.listener { _ in throw Failure("told") })
        expect(double.value, is: 2)
        try a.set(5)
        expect(failure: bodyThrows ? "body" : "told") {
          try system.transaction(.undo) {
            try b.set(2)
            expect(double.value, is: 10)
            if bodyThrows { throw Failure("body") }
          }
        }
        expect(double.value, is: 10)
      }
    },
    Claim("a listener that subscribed in a body that threw is not subscribed") { system in
      let told = Told<Int>()
      let (a, double) = system.doubled(0)
      expectUndone(in: system) {
        a.add(told, in: system)
        double.add(told, in: system)
      }
      try a.set(1)
      expect(told.values, is: [])
    },
    Claim("with `undo` a listener that throws takes every value back, and stops the rest") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let b = system.source(0)
      let sum = system.every(0, of: a, b) { a.value + b.value }
      let double = system.computed { sum.value * 2 }
      a.add(system.listener { if $0 == 1 { throw Failure("one") } })
      sum.add(told, in: system)
      double.add(told, in: system)
      expect(failure: "one") {
        try system.transaction(.undo) {
          try a.set(1)
          try b.set(1)
        }
      }
      expect([a.value, b.value, sum.value, double.value], is: [0, 0, 0, 0])
      expect(told.values, is: [])
      try a.set(2)
      expect(told.values, is: [2, 4])
    },
    Claim("an undone transaction does not count for `first` and `all`") { system in
      let a = system.source(0)
      let b = system.source(0)
      let first = system.combiner(.first, -1).weave(a).handle { a.value }
      let all = system.combiner(.all, -1).weave(a, b).handle { a.value + b.value }
      expectUndone(in: system) {
        try a.set(1)
        try b.set(1)
      }
      try a.set(5)
      expect([first.value, all.value], is: [5, -1])
      try b.set(6)
      expect([first.value, all.value], is: [5, 11])
    },
    Claim("a listener that was told in a transaction undone later is told of the next change, to the same value too") {
      system in
      for next in [1, 3] {
        let told = Told<Int>()
        let (a, double) = system.doubled(0)
        for node in [a, double] { node.add(told, in: system) }
        var isRefusing = true
        double.add(system.listener { _ in if isRefusing { throw Failure("refused") } })
        expect(failure: "refused") { try system.transaction(.undo) { try a.set(1) } }
        expect(told.values, is: [1, 2])
        isRefusing = false
        try a.set(next)
        expect(told.values, is: [1, 2, next, next * 2])
      }
    },
    Claim("a combiner woven in a transaction that is undone still runs by its strategy") { system in
      let (a, b) = (system.source(0), system.source(0))
      let (first, all) = (system.combiner(.first, -1), system.combiner(.all, -1))
      expectUndone(in: system) {
        try a.set(1)
        try b.set(1)
        first.weave(a).handle { a.value }
        all.weave(a, b).handle { a.value + b.value }
      }
      try a.set(2)
      expect([first.value, all.value], is: [2, -1])
      try b.set(2)
      expect(all.value, is: 4)
    },
  ]
}
