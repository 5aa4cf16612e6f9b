// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let events: [Claim] = [
    Claim("an event tells its listeners before sending is over, in the order of their subscription") { system in
      let told = Told<String>()
      let event = system.event(of: Int.self)
      event.add(system.listener { told.values.append("x\($0)") })
      event.add(system.listener { told.values.append("y\($0)") })
      try event.send(1)
      expect(told.values, is: ["x1", "y1"])
    },
    Claim("S0-4 an equal pulse is a pulse, and a transaction tells of each when it is over, in the order of sending") {
      system in
      let event = system.event(of: Int.self)
      let told = event.told(in: system)
      try event.send(1)
      try event.send(1)
      try system.transaction {
        for value in [1, 1] + Array(0..<150) { try event.send(value) }
        expect(told.values, is: [1, 1])
      }
      expect(told.values, is: [1, 1, 1, 1] + Array(0..<150))
    },
    Claim("pulses of several events of one transaction are told in the order of sending") { system in
      let told = Told<String>()
      let taps = system.event(of: Int.self)
      let keys = system.event(of: String.self)
      taps.add(system.listener { told.values.append("tap \($0)") })
      keys.add(system.listener { told.values.append("key \($0)") })
      try system.transaction {
        try taps.send(1)
        try keys.send("a")
        try taps.send(2)
      }
      expect(told.values, is: ["tap 1", "key a", "tap 2"])
    },
    Claim("an event's listener sees the transaction's writes settled") { system in
      var seen: [Int] = []
      let event = system.event(of: Int.self)
      let a = system.source(1)
      let tens = system.every(0, of: a) { a.value * 10 }
      let hundreds = system.computed { a.value * 100 }
      event.add(system.listener { _ in seen += [a.value, tens.value, hundreds.value] })
      try system.transaction {
        try event.send(0)
        try a.set(2)
      }
      expect(seen, is: [2, 20, 200])
    },
    Claim("an event's listener may write, and listeners of that are told in the same transaction") { system in
      let event = system.event(of: Int.self)
      let (a, double) = system.doubled(0)
      let told = double.told(in: system)
      event.add(system.listener { try a.set($0) })
      try event.send(4)
      expect(told.values, is: [8])
    },
    Claim("each pulse's writes are settled before the next pulse is told") { system in
      var seen: [Int] = []
      let event = system.event(of: Int.self)
      let a = system.source(0)
      let tens = system.every(0, of: a) { a.value * 10 }
      event.add(system.listener { try a.set(a.value + $0) })
      event.add(system.listener { _ in seen.append(tens.value) })
      try system.transaction {
        try event.send(1)
        try event.send(2)
      }
      expect(seen, is: [10, 30])
    },
    Claim("an event sent by a listener or a combiner's handler is told in the same transaction") { system in
      let a = system.source(0)
      let event = system.event(of: Int.self)
      let told = event.told(in: system)
      let combiner = system.every(0, of: a) {
        try event.send(a.value)
        return a.value
      }
      a.add(system.listener { try event.send($0 * 2) })
      try a.set(3)
      expect(told.values, is: [3, 6])
      withExtendedLifetime(combiner) {}
    },
    Claim("an event that its own listener sends a few times ends") { system in
      let told = Told<Int>()
      let event = system.event(of: Int.self)
      event.add(
        system.listener {
          told.values.append($0)
          if $0 > 0 { try event.send($0 - 1) }
        })
      try event.send(3)
      expect(told.values, is: [3, 2, 1, 0])
    },
    Claim("an event that its own listener always sends is unsettled, and its name is told") { system in
      let event = system.event(of: Int.self, name: "ping")
      event.add(
        system.listener {
          // A system that does not notice the loop fails here, and does not run for ever.
          if $0 > 10_000 { throw Failure("still pinging after 10,000 pulses") }
          try event.send($0 + 1)
        })
      expect(unsettled: ["ping"]) { try event.send(1) }
    },
    Claim("a pulse of a body that throws is told to nobody") { system in
      let event = system.event(of: Int.self)
      let told = event.told(in: system)
      expectUndone(in: system) { try event.send(1) }
      expect(told.values, is: [])
      try event.send(2)
      expect(told.values, is: [2])
    },
    Claim("with `undo` an error before a pulse's turn keeps it from being told") { system in
      let event = system.event(of: Int.self)
      event.add(system.listener { if $0 == 1 { throw Failure("one") } })
      let told = event.told(in: system)
      expect(failure: "one") {
        try system.transaction(.undo) {
          try event.send(1)
          try event.send(2)
        }
      }
      expect(told.values, is: [])
    },
    Claim("S0-9 a listener that subscribes between two pulses is told of the second alone") { system in
      let event = system.event(of: Int.self)
      let told = Told<Int>()
      let listener = system.listener { told.values.append($0) }
      event.add(system.listener { if $0 == 1 { event.add(listener) } })
      try system.transaction {
        try event.send(1)
        try event.send(2)
      }
      expect(told.values, is: [])
      try system.transaction {
        try event.send(3)
        event.add(listener)
        try event.send(4)
      }
      expect(told.values, is: [3, 4, 4])
    },
    Claim("a listener that is removed or disposed of before the telling is not told") { system in
      let told = Told<Int>()
      let event = system.event(of: Int.self)
      let removed = system.listener { told.values.append($0) }
      let disposed = system.listener { told.values.append($0 + 100) }
      var subscription: (any Disposable)?
      event.add(
        system.listener { _ in
          event.remove(removed)
          subscription?.dispose()
        })
      event.add(removed)
      subscription = event.add(disposed)
      try event.send(1)
      expect(told.values, is: [])
    },
    Claim("a listener added twice to an event is told twice") { system in
      let told = Told<Int>()
      let event = system.event(of: Int.self)
      let listener = system.listener { told.values.append($0) }
      event.add(listener)
      let second = event.add(listener)
      try event.send(1)
      second.dispose()
      try event.send(2)
      event.remove(listener)
      try event.send(3)
      expect(told.values, is: [1, 1, 2])
    },
    Claim("an event of a closed scope tells nobody") { system in
      let scope = system.scope()
      let event = try scope.enter { system.event(of: Int.self) }
      let told = event.told(in: system)
      scope.close()
      try event.send(1)
      expect(told.values, is: [])
    },
    Claim("an event without listeners is sent all the same") { system in
      try system.event(of: Int.self).send(1)
      try system.transaction { try system.event(of: Int.self).send(1) }
    },
  ]
}
