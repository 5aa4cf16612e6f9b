// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let midDelivery: [Claim] = [
    Claim("a listener removed by another is not told of the value in flight") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let later = system.listener { told.values.append($0) }
      a.add(system.listener { _ in a.remove(later) })
      a.add(later)
      try a.set(1)
      expect(told.values, is: [])
    },
    Claim("a listener of a computed removed by another is not told of the value in flight") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let double = system.computed { a.value * 2 }
      let later = system.listener { told.values.append($0) }
      double.add(system.listener { _ in double.remove(later) })
      double.add(later)
      try a.set(1)
      expect(told.values, is: [])
    },
    Claim("a subscription disposed by a listener of an ancestor is not told") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let double = system.computed { a.value * 2 }
      let subscription = double.add(told, in: system)
      a.add(system.listener { _ in subscription.dispose() })
      try a.set(1)
      expect(told.values, is: [])
    },
    Claim("a listener added while others are told is not told of the value in flight") { system in
      let told = Told<Int>()
      let a = system.source(0)
      var isAdded = false
      a.add(
        system.listener { _ in
          if !isAdded { a.add(told, in: system) }
          isAdded = true
        })
      try a.set(1)
      expect(told.values, is: [])
      try a.set(2)
      expect(told.values, is: [2])
    },
    Claim("a listener added to a computed while its others are told is not told of the value in flight") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let double = system.computed { a.value * 2 }
      var isAdded = false
      double.add(
        system.listener { _ in
          if !isAdded { double.add(told, in: system) }
          isAdded = true
        })
      try a.set(1)
      expect(told.values, is: [])
      try a.set(2)
      expect(told.values, is: [4])
    },
    Claim("a listener that ends its own subscription is told once") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let double = system.computed { a.value * 2 }
      for node in [a, double] {
        let holder = Told<any Disposable>()
        holder.values.append(
          node.add(
            system.listener { [unowned holder] value in
              told.values.append(value)
              for subscription in holder.values { subscription.dispose() }
              withExtendedLifetime(holder) {}
            }))
        try a.set(a.value + 1)
        try a.set(a.value + 1)
        withExtendedLifetime(holder) {}
      }
      expect(told.values, is: [1, 6])
    },
    Claim("a closed scope tells nobody, and its sources can still be read and written") { system in
      let told = Told<Int>()
      let scope = system.scope()
      let (a, combiner) = try scope.enter {
        let a = system.source(1)
        return (a, system.every(0, of: a) { a.value })
      }
      a.add(told, in: system)
      combiner.add(told, in: system)
      scope.close()
      scope.close()
      try a.set(2)
      expect(told.values, is: [])
      expect([a.value, combiner.value], is: [2, 0])
      expect(scope.isClosed, is: true)
    },
    Claim("a listener of a closed scope is told nothing by what is outside") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let scope = system.scope()
      try scope.enter { _ = a.add(told, in: system) }
      try a.set(1)
      scope.close()
      try a.set(2)
      expect(told.values, is: [1])
    },
    Claim("a combiner of a closed scope is run no more by what is outside") { system in
      var runs = 0
      let a = system.source(0)
      let scope = system.scope()
      let combiner = try scope.enter {
        system.every(0, of: a) {
          runs += 1
          return a.value
        }
      }
      try a.set(1)
      scope.close()
      try a.set(2)
      expect([runs, combiner.value], is: [1, 1])
    },
    Claim("a computed of a closed scope is evaluated no more by what is outside") { system in
      var evaluations = 0
      let a = system.source(0)
      let scope = system.scope()
      let computed = try scope.enter {
        system.computed {
          evaluations += 1
          return a.value
        }
      }
      computed.add(Told(), in: system)
      try a.set(1)
      scope.close()
      try a.set(2)
      expect(evaluations, is: 2)
    },
    Claim("closing a scope while it settles tells none of its listeners that come later") { system in
      let told = Told<Int>()
      let scope = system.scope()
      let a = try scope.enter { system.source(0) }
      a.add(system.listener { _ in scope.close() })
      a.add(told, in: system)
      try a.set(1)
      expect(told.values, is: [])
    },
    Claim("a watcher is told once a transaction that changed the value, and not of one that did not") { system in
      let dirty = Dirty()
      let a = system.source(0)
      let isBig = system.computed { a.value > 10 }
      let double = system.every(0, of: a) { a.value * 2 }
      a.watch(dirty, tag: 1)
      isBig.watch(dirty, tag: 2)
      double.watch(dirty, tag: 3)
      try system.transaction {
        try a.set(1)
        try a.set(2)
      }
      expect(dirty.take(), is: [1, 3])
      try a.set(11)
      expect(dirty.take(), is: [1, 2, 3])
      try system.transaction {
        try a.set(1)
        try a.set(11)
      }
      expect(dirty.take(), is: [])
    },
    Claim("a watcher is told nothing of a transaction that is undone") { system in
      let dirty = Dirty()
      let a = system.source(0)
      let double = system.computed { a.value * 2 }
      a.watch(dirty, tag: 1)
      double.watch(dirty, tag: 2)
      try? system.transaction {
        try a.set(1)
        throw Failure("body")
      }
      expect(dirty.take(), is: [])
      try a.set(1)
      expect(dirty.take(), is: [1, 2])
    },
  ]
}
