// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let cycles: [Claim] = [
    Claim("a cycle of combiners that their cut-offs stop settles") { system in
      let a = system.source(0)
      let up = system.combiner(.every, 0)
      let echo = system.combiner(.every, 0)
      up.weave(a, echo).handle { max(a.value, echo.value) }
      echo.weave(up).handle { min(up.value + 1, 5) }
      try a.set(2)
      expect([up.value, echo.value], is: [5, 5])
    },
    Claim("a combiner that is its own input settles") { system in
      let a = system.source(0)
      let rising = system.combiner(.every, 0)
      rising.weave(a, rising).handle { min(max(a.value, rising.value + 1), 9) }
      try a.set(3)
      expect(rising.value, is: 9)
    },
    Claim("a cycle of validators that ask for each other settles to the plain rule") { system in
      let username = system.source("")
      let password = system.source("")
      let usernameValid = system.combiner(.every, false)
      let passwordValid = system.combiner(.every, false)
      usernameValid.weave(username, passwordValid).handle { username.value.count > 2 }
      passwordValid.weave(password, usernameValid).handle { password.value.count > 3 }
      let enabled = system.every(false, of: usernameValid, passwordValid) { usernameValid.value && passwordValid.value }
      try username.set("ann")
      expect(enabled.value, is: false)
      try password.set("1234")
      expect(enabled.value, is: true)
      try username.set("an")
      expect([usernameValid.value, passwordValid.value, enabled.value], is: [false, true, false])
    },
    Claim("listeners of a cycle are told once, when it has settled") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let up = system.combiner(.every, 0)
      let echo = system.combiner(.every, 0)
      up.weave(a, echo).handle { max(a.value, echo.value) }
      echo.weave(up).handle { min(up.value + 1, 20) }
      up.add(told, in: system)
      echo.add(told, in: system)
      try a.set(2)
      expect(told.values, is: [20, 20])
    },
    Claim("a computed of a cycle's node is right when the cycle has settled") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let up = system.combiner(.every, 0)
      let echo = system.combiner(.every, 0)
      up.weave(a, echo).handle { max(a.value, echo.value) }
      echo.weave(up).handle { min(up.value + 1, 6) }
      let sum = system.computed { up.value + echo.value }
      sum.add(told, in: system)
      try a.set(2)
      expect(told.values, is: [12])
    },
    Claim("a cycle through a computed settles") { system in
      let a = system.source(0)
      let up = system.combiner(.every, 0)
      let next = system.computed { min(up.value + 1, 7) }
      up.weave(a, next).handle { max(a.value, next.value) }
      try a.set(3)
      expect([up.value, next.value], is: [7, 7])
    },
    Claim("a cycle that does not settle is an error that names its nodes, and is undone") { system in
      let told = Told<Int>()
      let start = system.source(0, name: "start")
      let up = system.combiner(.every, 0, name: "up")
      let higher = system.combiner(.every, 0, name: "higher")
      let bystander = system.combiner(.every, 0, name: "bystander")
      up.weave(start, higher).handle { start.value + higher.value + 1 }
      higher.weave(up).handle { up.value + 1 }
      bystander.weave(start).handle { start.value }
      bystander.add(told, in: system)
      expect(errorOf: { try start.set(1) }, is: "unsettled: higher, up") {
        if case SystemError.unsettled(let names) = $0 { Set(names) == ["up", "higher"] } else { false }
      }
      expect([start.value, up.value, higher.value, bystander.value], is: [0, 0, 0, 0])
      expect(told.values, is: [])
    },
    Claim("after an unsettled transaction the system goes on") { system in
      let told = Told<Int>()
      let start = system.source(0)
      let up = system.combiner(.every, 0)
      up.weave(start, up).handle { start.value == 1 ? up.value + 1 : start.value }
      start.add(told, in: system)
      expect(errorOf: { try start.set(1) }, is: "unsettled") {
        if case SystemError.unsettled = $0 { true } else { false }
      }
      try start.set(2)
      expect([start.value, up.value], is: [2, 2])
      expect(told.values, is: [2])
    },
    Claim("a listener that always writes what it listens to is unsettled") { system in
      let count = system.source(0, name: "count")
      count.add(system.listener { try count.set($0 + 1) })
      expect(errorOf: { try count.set(1) }, is: "unsettled: count") {
        if case SystemError.unsettled(let names) = $0 { names.contains("count") } else { false }
      }
      expect(count.value, is: 0)
    },
    Claim("a listener of a computed that always writes its source is unsettled") { system in
      let count = system.source(0, name: "count")
      let next = system.computed(name: "next") { count.value + 1 }
      next.add(system.listener { try count.set($0) })
      expect(errorOf: { try count.set(1) }, is: "unsettled: next") {
        if case SystemError.unsettled(let names) = $0 { names.contains("next") } else { false }
      }
      expect([count.value, next.value], is: [0, 1])
    },
    Claim("two listeners that outbid each other are unsettled") { system in
      let a = system.source(0, name: "a")
      let b = system.source(0, name: "b")
      a.add(system.listener { try b.set($0 + 1) })
      b.add(system.listener { try a.set($0 + 1) })
      expect(errorOf: { try a.set(1) }, is: "unsettled: a, b") {
        if case SystemError.unsettled(let names) = $0 { Set(names) == ["a", "b"] } else { false }
      }
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
      expect(errorOf: { _ = try own.get() }, is: "cycle: own") {
        if case SystemError.cycle(let names) = $0 { names == ["own"] } else { false }
      }
      holder.values = []
    },
    Claim("two computeds that read each other are an error that names both, from either side") { system in
      let holder = Told<Readable<Int>>()
      let one = system.computed(name: "one") { [unowned holder] in try holder.values[0].get() + 1 }
      let two = system.computed(name: "two") { try one.get() + 1 }
      holder.values.append(two)
      for node in [one, two, one] {
        expect(errorOf: { _ = try node.get() }, is: "cycle: one, two") {
          if case SystemError.cycle(let names) = $0 { Set(names) == ["one", "two"] } else { false }
        }
      }
      holder.values = []
    },
    Claim("a computed cycle ends when a condition no longer leads round it") { system in
      let isRound = system.source(true)
      let holder = Told<Readable<Int>>()
      let one = system.computed(name: "one") { [unowned holder] in
        isRound.value ? try holder.values[0].get() + 1 : 1
      }
      let two = system.computed(name: "two") { try one.get() + 1 }
      holder.values.append(two)
      expect((try? two.get()) == nil, is: true)
      try isRound.set(false)
      expect([try one.get(), try two.get()], is: [1, 2])
      try isRound.set(true)
      expect((try? one.get()) == nil, is: true)
      expect((try? two.get()) == nil, is: true)
      holder.values = []
    },
    Claim("a reader of a computed cycle that is not part of it is not named") { system in
      let holder = Told<Readable<Int>>()
      let one = system.computed(name: "one") { [unowned holder] in try holder.values[0].get() + 1 }
      let two = system.computed(name: "two") { try one.get() + 1 }
      holder.values.append(two)
      let outside = system.computed(name: "outside") { try two.get() }
      expect(errorOf: { _ = try outside.get() }, is: "cycle: one, two") {
        if case SystemError.cycle(let names) = $0 { Set(names) == ["one", "two"] } else { false }
      }
      holder.values = []
    },
    Claim("a computed cycle that a write closes is thrown to who wrote") { system in
      let isRound = system.source(false)
      let holder = Told<Readable<Int>>()
      let told = Told<Int>()
      let one = system.computed(name: "one") { [unowned holder] in
        isRound.value ? try holder.values[0].get() + 1 : 1
      }
      let two = system.computed(name: "two") { try one.get() + 1 }
      holder.values.append(two)
      two.add(told, in: system)
      expect(errorOf: { try isRound.set(true) }, is: "a cycle") {
        if case SystemError.cycle = $0 { true } else { false }
      }
      try isRound.set(false)
      expect(told.values, is: [2])
      expect(try two.get(), is: 2)
      holder.values = []
    },
  ]
}
