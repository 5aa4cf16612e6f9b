// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

/// A computed that refuses negative numbers, and counts its evaluations.
private final class Checked {
  private(set) var evaluations = 0
  let source: Source<Int>
  private(set) var computed: Readable<Int>!

  init(_ system: any ReactiveSystem, _ value: Int = 0) {
    let source = system.source(value)
    self.source = source
    computed = system.computed { [unowned self] in
      evaluations += 1
      if source.value < 0 { throw Failure("negative \(source.value)") }
      return source.value
    }
  }
}

extension Claim {
  static let errors: [Claim] = [
    Claim("a listener that throws does not stop the others, and its error comes out of the write") { system in
      let told = Told<Int>()
      let (a, double) = system.doubled(0)
      a.add(system.listener { _ in throw Failure("first") })
      a.add(told, in: system)
      double.add(told, in: system)
      expect(failure: "first") { try a.set(1) }
      expect(a.value, is: 1)
      expect(told.values, is: [1, 2])
    },
    Claim("a combiner that throws keeps its value, and runs again at the next change") { system in
      let a = system.source(0)
      let checked = system.every(5, of: a) {
        if a.value == 1 { throw Failure("one") }
        return a.value
      }
      let told = checked.told(in: system)
      expect(failure: "one") { try a.set(1) }
      expect(checked.value, is: 5)
      try a.set(2)
      expect(told.values, is: [2])
    },
    Claim("reading a computed that failed throws its error, each time, evaluated once, until its input recovers") {
      system in
      let checked = Checked(system, -1)
      for _ in 0..<2 { expect(failure: "negative -1") { _ = try checked.computed.get() } }
      expect(checked.evaluations, is: 1)
      try checked.source.set(4)
      expect(try checked.computed.get(), is: 4)
      expect(checked.computed.value, is: 4)
    },
    Claim("a computed's error passes through the computeds that read it") { system in
      let checked = Checked(system)
      let outer = system.computed { try checked.computed.get() + 1 }
      expect(outer.value, is: 1)
      try checked.source.set(-2)
      expect(failure: "negative -2") { _ = try outer.get() }
      try checked.source.set(3)
      expect(outer.value, is: 4)
    },
    Claim("a formula may catch the error of its input, which is then thrown to nobody, and still follows it") {
      system in
      let checked = Checked(system)
      let safe = system.computed { (try? checked.computed.get()) ?? -100 }
      let told = safe.told(in: system)
      for value in [-2, -3] { try checked.source.set(value) }
      try checked.source.set(3)
      expect(told.values, is: [-100, 3])
    },
    Claim("an observed computed that fails throws to the writer, once however many listen, and tells them nothing") {
      system in
      let checked = Checked(system)
      let logs = (0..<3).map { _ in checked.computed.told(in: system) }
      expect(failure: "negative -1") { try checked.source.set(-1) }
      expect(checked.source.value, is: -1)
      expect(logs.map(\.values), is: [[], [], []])
    },
    Claim("an error that stays is not thrown again by a transaction elsewhere") { system in
      let checked = Checked(system)
      checked.computed.add(Told(), in: system)
      expect(failure: "negative -1") { try checked.source.set(-1) }
      try system.source(0).set(1)
      try system.transaction {}
      expect(checked.evaluations, is: 2)
    },
    Claim("another error of an observed computed is thrown as well") { system in
      let checked = Checked(system)
      checked.computed.add(Told(), in: system)
      expect(failure: "negative -1") { try checked.source.set(-1) }
      expect(failure: "negative -2") { try checked.source.set(-2) }
    },
    Claim("a computed that had failed tells its next value, also the one that it told last") { system in
      for next in [5, 6] {
        let checked = Checked(system)
        let told = checked.computed.told(in: system)
        try checked.source.set(5)
        try? checked.source.set(-1)
        try checked.source.set(next)
        expect(told.values, is: [5, next])
      }
    },
    Claim("a listener that subscribes to a computed that has failed is told of its first value") { system in
      let checked = Checked(system, -1)
      expect(failure: "negative -1") { _ = try checked.computed.get() }
      let told = checked.computed.told(in: system)
      try checked.source.set(0)
      expect(told.values, is: [0])
    },
    Claim("a computed that fails and recovers within one transaction throws nothing") { system in
      let checked = Checked(system)
      let told = checked.computed.told(in: system)
      try system.transaction {
        try checked.source.set(-1)
        expect(failure: "negative -1") { _ = try checked.computed.get() }
        try checked.source.set(2)
      }
      expect(told.values, is: [2])
    },
    Claim("an error that a body finds, and leaves as it was, is not thrown again") { system in
      let checked = Checked(system)
      let told = checked.computed.told(in: system)
      expect(failure: "negative -1") { try checked.source.set(-1) }
      try system.transaction {
        try checked.source.set(2)
        expect(try checked.computed.get(), is: 2)
        try checked.source.set(-1)
      }
      expect(told.values, is: [])
      try checked.source.set(2)
      expect(told.values, is: [2])
    },
    Claim("a computed that fails and recovers before its listeners' turn throws nothing") { system in
      let trigger = system.source(0)
      let checked = Checked(system)
      let told = checked.computed.told(in: system)
      trigger.add(system.listener { try checked.source.set(-$0) })
      trigger.add(system.listener { try checked.source.set($0 - 1) })
      try trigger.set(1)
      expect(told.values, is: [])
      try trigger.set(2)
      expect(told.values, is: [1])
    },
    Claim("an error that goes and comes back before the listeners' turn is not thrown again") { system in
      let trigger = system.source(0)
      let checked = Checked(system)
      let told = checked.computed.told(in: system)
      expect(failure: "negative -1") { try checked.source.set(-1) }
      trigger.add(system.listener { try checked.source.set($0) })
      trigger.add(system.listener { _ in try checked.source.set(-1) })
      try trigger.set(1)
      expect(told.values, is: [])
      try checked.source.set(0)
      expect(told.values, is: [0])
    },
    Claim("a combiner of a computed that fails keeps its value, and the error comes out") { system in
      let checked = Checked(system)
      let combiner = system.every(0, of: checked.computed) { try checked.computed.get() * 10 }
      try checked.source.set(2)
      expect(failure: "negative -1") { try checked.source.set(-1) }
      expect(combiner.value, is: 20)
      try checked.source.set(3)
      expect(combiner.value, is: 30)
    },
    Claim("a failed computed finds new inputs when it recovers") { system in
      let gate = system.source(0)
      let a = system.source(1)
      let computed = system.computed { () throws -> Int in
        if gate.value == 1 { throw Failure("gate") }
        return gate.value + a.value
      }
      let told = computed.told(in: system)
      expect(failure: "gate") { try gate.set(1) }
      try a.set(5)
      try gate.set(2)
      try a.set(6)
      expect(told.values, is: [7, 8])
    },
    Claim("a listener of a computed that throws is told again at the next change") { system in
      let told = Told<Int>()
      let (a, double) = system.doubled(0)
      double.add(
        system.listener {
          told.values.append($0)
          throw Failure("told \($0)")
        })
      expect(failure: "told 2") { try a.set(1) }
      expect(failure: "told 4") { try a.set(2) }
      expect(told.values, is: [2, 4])
    },
    Claim("the writes of a listener that throws stay, under `finish`") { system in
      let a = system.source(0)
      let b = system.source(0)
      a.add(
        system.listener {
          try b.set($0)
          throw Failure("after")
        })
      expect(failure: "after") { try a.set(3) }
      expect(b.value, is: 3)
    },
    Claim("an invoked listener that throws undoes its writes") { system in
      let a = system.source(0)
      let action = system.listener { (value: Int) in
        try a.set(value)
        throw Failure("action")
      }
      expect(failure: "action") { try action.invoke(3) }
      expect(a.value, is: 0)
    },
    Claim("a listener that throws on being replayed to comes out of the transaction") { system in
      let a = system.source(0)
      expect(failure: "replay") {
        try system.transaction(.undo) {
          try a.set(1)
          a.add(system.listener { _ in throw Failure("replay") }, replay: true)
        }
      }
      expect(a.value, is: 0)
    },
    Claim("an event's listener that throws does not stop the others") { system in
      let event = system.event(of: Int.self)
      event.add(system.listener { _ in throw Failure("pulse") })
      let told = event.told(in: system)
      expect(failure: "pulse") { try event.send(1) }
      expect(told.values, is: [1])
    },
  ]
}
