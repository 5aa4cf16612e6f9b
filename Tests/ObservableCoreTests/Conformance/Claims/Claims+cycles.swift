// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// Two computeds, each of which reads the other while `isClosed` is true.
private final class Ring {
  let isClosed: Source<Bool>
  let one: Readable<Int>
  let two: Readable<Int>
  /// The second one, as the first finds it. The ring keeps it, so that the two do not keep each other.
  private let other = Told<Readable<Int>>()

  init(_ system: any ReactiveSystem, isClosed: Bool = true) {
    let isClosed = system.source(isClosed)
    let one = system.computed(name: "one") { [unowned other] in isClosed.value ? try other.values[0].get() + 1 : 1 }
    two = system.computed(name: "two") { try one.get() + 1 }
    other.values.append(two)
    (self.isClosed, self.one) = (isClosed, one)
  }
}

extension Claim {
  static let cycles: [Claim] = [
    Claim("S0-22 a cycle of combiners that their cut-offs stop settles, and is told once, by a computed of it as well")
    { system in
      let a = system.source(0)
      let up = system.combiner(.every, 0)
      let echo = system.combiner(.every, 0)
      up.weave(a, echo).handle { max(a.value, echo.value) }
      echo.weave(up).handle { min(up.value + 1, 20) }
      let sum = system.computed { up.value + echo.value }
      let logs = [up, echo, sum].map { $0.told(in: system) }
      try a.set(2)
      expect(logs.map(\.values), is: [[20], [20], [40]])
    },
    Claim("a cycle through a computed settles") { system in
      let a = system.source(0)
      let up = system.combiner(.every, 0)
      let next = system.computed { min(up.value + 1, 7) }
      up.weave(a, next).handle { max(a.value, next.value) }
      try a.set(3)
      expect([up.value, next.value], is: [7, 7])
    },
    Claim("S0-22 a cycle that does not settle is an error that names its nodes, and is undone") { system in
      let start = system.source(0, name: "start")
      let up = system.combiner(.every, 0, name: "up")
      let higher = system.combiner(.every, 0, name: "higher")
      let bystander = system.combiner(.every, 0, name: "bystander")
      up.weave(start, higher).handle { start.value + higher.value + 1 }
      higher.weave(up).handle { up.value + 1 }
      bystander.weave(start).handle { start.value }
      let told = bystander.told(in: system)
      expect(unsettled: ["up", "higher"]) { try start.set(1) }
      expect([start.value, up.value, higher.value, bystander.value], is: [0, 0, 0, 0])
      expect(told.values, is: [])
    },
    Claim("after an unsettled transaction the system goes on") { system in
      let start = system.source(0)
      let up = system.combiner(.every, 0, name: "up")
      up.weave(start, up).handle { start.value == 1 ? up.value + 1 : start.value }
      let told = start.told(in: system)
      expect(unsettled: ["up"]) { try start.set(1) }
      try start.set(2)
      expect([start.value, up.value], is: [2, 2])
      expect(told.values, is: [2])
    },
    Claim("S0-22 a listener that always writes its own source is unsettled") { system in
      let count = system.source(0, name: "count")
      count.add(system.listener { try count.set($0 + 1) })
      expect(unsettled: ["count"]) { try count.set(1) }
      expect(count.value, is: 0)
    },
    Claim("a listener of a computed that always writes its source is unsettled") { system in
      let count = system.source(0, name: "count")
      let next = system.computed(name: "next") { count.value + 1 }
      next.add(system.listener { try count.set($0) })
      expect(unsettled: ["next"], perhaps: ["count"]) { try count.set(1) }
      expect([count.value, next.value], is: [0, 1])
    },
    Claim("two listeners that outbid each other are unsettled") { system in
      let a = system.source(0, name: "a")
      let b = system.source(0, name: "b")
      a.add(system.listener { try b.set($0 + 1) })
      b.add(system.listener { try a.set($0 + 1) })
      expect(unsettled: ["a", "b"]) { try a.set(1) }
      expect([a.value, b.value], is: [0, 0])
    },
    Claim("fifty rounds are not yet taken for a cycle that does not settle") { system in
      let a = system.source(0)
      let up = system.combiner(.every, 0)
      up.weave(a, up).handle { min(max(a.value, up.value + 1), 50) }
      try a.set(1)
      expect(up.value, is: 50)
    },
    Claim("a computed that reads itself is an error that names it") { system in
      let holder = Told<Readable<Int>>()
      let own = system.computed(name: "own") { [unowned holder] in try holder.values[0].get() + 1 }
      holder.values.append(own)
      expect(cycle: ["own"]) { _ = try own.get() }
      holder.values = []
    },
    Claim("two computeds that read each other are an error that names both, from either side and from outside") {
      system in
      let ring = Ring(system)
      let outside = system.computed(name: "outside") { try ring.two.get() }
      for node in [ring.one, ring.two, ring.one, outside] { expect(cycle: ["one", "two"]) { _ = try node.get() } }
      withExtendedLifetime(ring) {}
    },
    Claim("a computed cycle ends when a condition no longer leads round it") { system in
      let ring = Ring(system)
      expect((try? ring.two.get()) == nil, is: true)
      try ring.isClosed.set(false)
      expect([try ring.one.get(), try ring.two.get()], is: [1, 2])
      try ring.isClosed.set(true)
      expect((try? ring.one.get()) == nil, is: true)
      expect((try? ring.two.get()) == nil, is: true)
      withExtendedLifetime(ring) {}
    },
    Claim("a computed cycle that a write closes is thrown to the writer") { system in
      let ring = Ring(system, isClosed: false)
      let told = ring.two.told(in: system)
      expect(cycle: ["one", "two"]) { try ring.isClosed.set(true) }
      try ring.isClosed.set(false)
      expect(told.values, is: [2])
      expect(try ring.two.get(), is: 2)
      withExtendedLifetime(ring) {}
    },
  ]
}
