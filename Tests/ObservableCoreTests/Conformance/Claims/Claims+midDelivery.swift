// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let closedScopes = Derived.allCases.map { kind in
    Claim("a \(kind) of a closed scope is run no more by a node outside") { system in
      let runs = Runs()
      let a = system.source(0)
      let scope = system.scope()
      let node = try scope.enter {
        system.derived(kind, 0, of: a) {
          runs.count += 1
          return a.value
        }
      }
      node.add(Told(), in: system)
      try a.set(1)
      runs.count = 0
      scope.close()
      try a.set(2)
      expect(runs.count, is: 0)
    }
  }

  static let midDelivery: [Claim] = [
    Claim("S0-9 a listener removed by another is not told of the value in flight") { system in
      let told = Told<Int>()
      let (a, double) = system.doubled(0)
      for node in [a, double] {
        let later = system.listener { told.values.append($0) }
        node.add(system.listener { _ in node.remove(later) })
        node.add(later)
      }
      try a.set(1)
      expect(told.values, is: [])
    },
    Claim("S0-9 a listener added while others are told is not told of the value in flight") { system in
      let told = Told<Int>()
      let (a, double) = system.doubled(0)
      for node in [a, double] {
        var isAdded = false
        node.add(
          system.listener { _ in
            if !isAdded { node.add(told, in: system) }
            isAdded = true
          })
      }
      try a.set(1)
      expect(told.values, is: [])
      try a.set(2)
      expect(told.values, is: [2, 4])
    },
    Claim("a subscription disposed by a listener of an ancestor is not told") { system in
      let told = Told<Int>()
      let (a, double) = system.doubled(0)
      let subscription = double.add(told, in: system)
      a.add(system.listener { _ in subscription.dispose() })
      try a.set(1)
      expect(told.values, is: [])
    },
    Claim("a listener that ends its own subscription is told once") { system in
      let told = Told<Int>()
      let (a, double) = system.doubled(0)
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
    Claim("a listener of a closed scope is told nothing by a node outside") { system in
      let told = Told<Int>()
      let a = system.source(0)
      let scope = system.scope()
      try scope.enter { _ = a.add(told, in: system) }
      try a.set(1)
      scope.close()
      try a.set(2)
      expect(told.values, is: [1])
    },
    Claim("closing a scope while it settles tells none of its listeners that come later") { system in
      let scope = system.scope()
      let a = try scope.enter { system.source(0) }
      a.add(system.listener { _ in scope.close() })
      let told = a.told(in: system)
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
      // It comes back while the listeners are told.
      let moving = system.source(0)
      moving.watch(dirty, tag: 4)
      a.add(system.listener { _ in try moving.set(1) })
      moving.add(system.listener { _ in try moving.set(0) })
      try a.set(12)
      expect(moving.value, is: 0)
      expect(dirty.take(), is: [1, 3])
    },
    Claim("a watcher is told nothing of a transaction that is undone") { system in
      let dirty = Dirty()
      let (a, double) = system.doubled(0)
      a.watch(dirty, tag: 1)
      double.watch(dirty, tag: 2)
      expectUndone(in: system) { try a.set(1) }
      expect(dirty.take(), is: [])
      try a.set(1)
      expect(dirty.take(), is: [1, 2])
    },
  ]
}
