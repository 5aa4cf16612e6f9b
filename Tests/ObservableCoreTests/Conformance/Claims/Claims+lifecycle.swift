// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let lifecycle: [Claim] = [
    Claim("a disposed subscription is told nothing more, and disposing twice is harmless") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let subscription = a.add(told, in: system)
      try a.set(1)
      subscription.dispose()
      subscription.dispose()
      try a.set(2)
      expect(told.values, is: [1])
    },
    Claim(
      "S0-6 a listener added twice is told twice, one subscription may end alone, and removing removes both"
    ) {
      system in
      let a = system.source(0)
      for node in [a, system.computed { a.value * 2 }] {
        let told = Told<Int>()
        let listener = system.listener { told.values.append($0) }
        node.remove(listener)
        node.add(listener)
        node.add(listener)
        try a.set(1)
        expect(told.values, is: [node.value, node.value])
        node.add(listener).dispose()
        try a.set(2)
        expect(told.values.count, is: 4)
        node.remove(listener)
        try a.set(0)
        expect(told.values.count, is: 4)
      }
    },
    Claim("a listener that subscribes again is told of the next change only, be it back to the value that it left") {
      system in
      for next in [2, 0] {
        let told = Told<Int>()
        let (a, double) = system.doubled(0)
        let listener = system.listener { told.values.append($0) }
        double.add(listener).dispose()
        try a.set(1)
        double.add(listener)
        expect(told.values, is: [])
        try a.set(next)
        expect(told.values, is: [next * 2])
      }
    },
    Claim("S0-5 replay tells the present value at once") { system in
      let told = Told<Int>()
      let (a, double) = system.doubled(3)
      a.add(system.listener { told.values.append($0) }, replay: true)
      double.add(system.listener { told.values.append($0) }, replay: true)
      expect(told.values, is: [3, 6])
      try a.set(4)
      expect(told.values, is: [3, 6, 4, 8])
    },
    Claim("S0-11 one listener may listen to several nodes, events among them") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let b = system.source(0)
      let sum = system.computed { a.value + b.value + 100 }
      let event = system.event(of: Int.self)
      let listener = system.listener { told.values.append($0) }
      for node in [a, b, sum] { node.add(listener) }
      event.add(listener)
      try b.set(2)
      try event.send(2)
      expect(told.values, is: [2, 102, 2])
    },
    Claim("S0-11 a listener without a handler is told nothing, and one that gets another uses that") { system in
      let told = Told<String>()
      let a = system.source(0)
      let listener = system.listener(of: Int.self, nil)
      a.add(listener)
      try a.set(1)
      try listener.invoke(1)
      listener.handle { told.values.append("first \($0)") }
      try a.set(2)
      listener.handle { told.values.append("second \($0)") }
      try a.set(3)
      expect(told.values, is: ["first 2", "second 3"])
    },
    Claim("invoking a listener runs its handler as one transaction") { system in
      let a = system.source(0)
      let b = system.source(0)
      let sum = system.computed { a.value * 10 + b.value }
      let told = sum.told(in: system)
      let action = system.listener { (value: Int) in
        try a.set(value)
        try b.set(value)
      }
      try action.invoke(4)
      expect(told.values, is: [44])
    },
  ]
}
