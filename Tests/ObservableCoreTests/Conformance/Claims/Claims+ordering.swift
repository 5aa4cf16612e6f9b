// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let chains = Derived.triples.map { first, second, third in
    Claim("along a chain of a \(first), a \(second) and a \(third) ancestors are told of first") { system in
      let told = Told<String>()
      let a = system.source(0)
      let one = system.derived(first, 1, of: a) { a.value + 1 }
      let two = system.derived(second, 2, of: one) { one.value + 1 }
      let three = system.derived(third, 3, of: two) { two.value + 1 }
      for (name, node) in [("three", three), ("one", one), ("two", two), ("a", a)] {
        node.add(system.listener { _ in told.values.append(name) })
      }
      try a.set(1)
      expect(told.values, is: ["a", "one", "two", "three"])
    }
  }

  static let ordering: [Claim] = [
    Claim("S0-2 listeners of one node are told in the order in which they subscribed") { system in
      let told = Told<String>()
      let (a, double) = system.doubled(0)
      for node in [a, double] {
        for name in ["x", "y", "z"] { node.add(system.listener { told.values.append("\(name)\($0)") }) }
      }
      try a.set(1)
      expect(told.values, is: ["x1", "y1", "z1", "x2", "y2", "z2"])
    },
    Claim("one that leaves does not change the order of the others, and comes back last") { system in
      let told = Told<String>()
      let a = system.source(0)
      let listeners = ["x", "y", "z"].map { name in system.listener { (_: Int) in told.values.append(name) } }
      for listener in listeners { a.add(listener) }
      a.remove(listeners[0])
      try a.set(1)
      a.add(listeners[0])
      try a.set(2)
      expect(told.values, is: ["y", "z", "y", "z", "x"])
    },
    Claim("a diamond's bottom is told of after both its sides") { system in
      let told = Told<String>()
      let a = system.source(0)
      let left = system.computed { a.value + 1 }
      let right = system.computed { a.value + 2 }
      let bottom = system.computed { left.value + right.value }
      for (name, node) in [("bottom", bottom), ("right", right), ("left", left)] {
        node.add(system.listener { _ in told.values.append(name) })
      }
      try a.set(1)
      expect(Set(told.values), is: ["left", "right", "bottom"])
      expect(told.values.last, is: "bottom")
    },
    Claim("a listener's write is told of after the news that waits already") { system in
      let told = Told<String>()
      let a = system.source(0)
      let b = system.source(0)
      let c = system.source(0)
      a.add(
        system.listener { _ in
          told.values.append("a")
          try b.set(1)
        })
      b.add(system.listener { _ in told.values.append("b") })
      c.add(system.listener { _ in told.values.append("c") })
      try system.transaction {
        try a.set(1)
        try c.set(1)
      }
      expect(told.values, is: ["a", "c", "b"])
    },
    Claim("a combiner's inputs run before it, however deep they are and however it was woven") { system in
      var runs: [String] = []
      let a = system.source(1)
      let bottom = system.combiner(.every, 0)
      let side = system.combiner(.every, 0)
      let deep = system.combiner(.every, 0)
      bottom.weave(a, side, deep).handle {
        runs.append("bottom")
        return a.value + side.value + deep.value
      }
      deep.weave(side).handle {
        runs.append("deep")
        return side.value * 10
      }
      side.weave(a).handle {
        runs.append("side")
        return a.value * 10
      }
      try a.set(2)
      expect(runs, is: ["side", "deep", "bottom"])
      expect(bottom.value, is: 222)
    },
    Claim("errors come out in the order in which they were thrown: of handlers, then of listeners") { system in
      let a = system.source(0)
      let failing = system.every(0, of: a) { throw Failure("handler") }
      for name in ["first", "second"] { a.add(system.listener { _ in throw Failure(name) }) }
      expect(failures: ["handler", "first", "second"]) { try a.set(1) }
      withExtendedLifetime(failing) {}
    },
  ]
}
