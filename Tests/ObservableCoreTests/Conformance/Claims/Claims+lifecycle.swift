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
    Claim("disposing one of two subscriptions of one listener leaves the other") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let listener = system.listener { told.values.append($0) }
      let one = a.add(listener)
      a.add(listener)
      one.dispose()
      try a.set(1)
      expect(told.values, is: [1])
    },
    Claim("a listener added twice is told twice, and removing it removes both") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let listener = system.listener { told.values.append($0) }
      a.add(listener)
      a.add(listener)
      try a.set(1)
      expect(told.values, is: [1, 1])
      a.remove(listener)
      try a.set(2)
      expect(told.values, is: [1, 1])
    },
    Claim("a listener of a computed that is removed is told nothing more") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let double = system.computed { a.value * 2 }
      let listener = system.listener { told.values.append($0) }
      double.add(listener)
      try a.set(1)
      double.remove(listener)
      try a.set(2)
      expect(told.values, is: [2])
      expect(double.value, is: 4)
    },
    Claim("removing a listener that was never added does nothing") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let double = system.computed { a.value * 2 }
      double.add(told, in: system)
      a.remove(system.listener { _ in })
      double.remove(system.listener { _ in })
      try a.set(1)
      expect(told.values, is: [2])
    },
    Claim("who subscribes again is told again, from the present on") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let double = system.computed { a.value * 2 }
      let listener = system.listener { told.values.append($0) }
      double.add(listener).dispose()
      try a.set(1)
      double.add(listener)
      expect(told.values, is: [])
      try a.set(2)
      expect(told.values, is: [4])
    },
    Claim("who subscribes again to a computed that moved and came back is told of the next change only") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let double = system.computed { a.value * 2 }
      double.add(told, in: system).dispose()
      try a.set(1)
      let again = double.add(told, in: system)
      try a.set(0)
      expect(told.values, is: [0])
      again.dispose()
    },
    Claim("replay tells the present value at once") { system in
      let told = Told<Int>()
      let a = system.source(3)
      let double = system.computed { a.value * 2 }
      a.add(system.listener { told.values.append($0) }, replay: true)
      double.add(system.listener { told.values.append($0) }, replay: true)
      expect(told.values, is: [3, 6])
      try a.set(4)
      expect(told.values, is: [3, 6, 4, 8])
    },
    Claim("one listener may listen to several nodes") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let b = system.source(0)
      let sum = system.computed { a.value + b.value + 100 }
      let listener = system.listener { told.values.append($0) }
      a.add(listener)
      b.add(listener)
      sum.add(listener)
      try b.set(2)
      expect(told.values, is: [2, 102])
    },
    Claim("a listener without a handler is told nothing, and one that gets another uses that") { system in
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
      let told = Told<Int>()
      let a = system.source(0)
      let b = system.source(0)
      let sum = system.computed { a.value * 10 + b.value }
      sum.add(told, in: system)
      let action = system.listener { (value: Int) in
        try a.set(value)
        try b.set(value)
      }
      try action.invoke(4)
      expect(told.values, is: [44])
    },
    Claim("a combiner that is dropped stops") { system in
      var runs = 0
      let a = system.source(0)
      var combiner: Combiner<Int>? = system.every(0, of: a) {
        runs += 1
        return a.value
      }
      try a.set(1)
      expect([runs, combiner?.value], is: [1, 1])
      combiner = nil
      try a.set(2)
      expect(runs, is: 1)
    },
    Claim("a computed that is dropped is evaluated no more") { system in
      var evaluations = 0
      let a = system.source(0)
      var computed: Readable<Int>? = system.computed {
        evaluations += 1
        return a.value
      }
      computed?.add(Told(), in: system)
      try a.set(1)
      expect(evaluations, is: 2)
      computed = nil
      try a.set(2)
      expect(evaluations, is: 2)
    },
  ]
}
