// SPDX-License-Identifier: MIT
import ObservableCore
import Testing

extension Claim {
  static let inputs = Derived.allCases.map { kind in
    Claim("S0-21 inputs do not keep a \(kind) alive, observed or not, and one that has gone is run no more") { system in
      let a = system.source(0)
      for isObserved in [true, false] {
        weak var node: AnyObject?
        let runs = Runs()
        do {
          let derived = system.derived(kind, 0, of: a) {
            runs.count += 1
            return a.value
          }
          node = derived.node
          if isObserved { derived.add(Told(), in: system) }
          try a.set(a.value + 1)
          expect(derived.value, is: a.value)
        }
        expect(node == nil, is: true)
        let before = runs.count
        try a.set(a.value + 1)
        expect(runs.count, is: before)
      }
    }
  }

  static let memory: [Claim] = [
    Claim("S0-21 a combiner keeps its inputs alive, and lets go of them when it goes") { system in
      weak var input: AnyObject?
      var combiner: Combiner<Int>? = system.combiner(.every, 0)
      do {
        let a = system.source(0)
        input = a.node
        combiner?.weave(a)
      }
      expect(input != nil, is: true)
      combiner = nil
      expect(input == nil, is: true)
    },
    Claim("a computed keeps the computeds that it reads alive") { system in
      weak var inner: AnyObject?
      let a = system.source(1)
      var outer: Readable<Int>?
      do {
        let made = system.computed { a.value * 2 }
        inner = made.node
        outer = system.computed { made.value + 1 }
      }
      try a.set(2)
      expect(outer?.value, is: 5)
      expect(inner != nil, is: true)
      outer = nil
      expect(inner == nil, is: true)
    },
    Claim("a computed made in a formula goes when the formula is evaluated again") { system in
      weak var inner: AnyObject?
      let a = system.source(1)
      let isNested = system.source(true)
      let outer = system.computed { () -> Int in
        if !isNested.value { return 0 }
        let made = system.computed { a.value }
        inner = made.node
        return made.value
      }
      outer.add(Told(), in: system)
      try a.set(2)
      try isNested.set(false)
      expect(outer.value, is: 0)
      expect(inner == nil, is: true)
    },
    Claim("an observed node or event keeps its listener alive, and lets go of it when it goes") { system in
      for isEvent in [false, true] {
        weak var listener: AnyObject?
        var a: Source<Int>? = system.source(0)
        var event: Pulses<Int>? = system.event(of: Int.self)
        do {
          let made = system.listener { (_: Int) in }
          listener = made.node
          if isEvent { event?.add(made) } else { a?.add(made) }
          try event?.send(1)
        }
        expect(listener != nil, is: true)
        (a, event) = (nil, nil)
        expect(listener == nil, is: true)
      }
    },
    Claim("a listener whose subscription ends, or that is removed, is let go of") { system in
      weak var listener: AnyObject?
      let a = system.source(0)
      let ends: [(Readable<Int>, Listener<Int>, any Disposable) -> Void] = [
        { _, _, subscription in subscription.dispose() }, { node, listener, _ in node.remove(listener) },
      ]
      for end in ends {
        for node in [a, system.computed { a.value * 2 }] {
          do {
            let made = system.listener { (_: Int) in }
            listener = made.node
            let subscription = node.add(made)
            try a.set(a.value + 1)
            end(node, made, subscription)
          }
          expect(listener == nil, is: true)
        }
      }
    },
    Claim("an old value is let go of when the transaction is over") { system in
      var hasGone = false
      let a = system.source(Farewell?.none, isDuplicate: { $0 === $1 })
      try a.set(Farewell { hasGone = true })
      try a.set(nil)
      expect(hasGone, is: true)
    },
    Claim("a computed's old value is let go of when the transaction is over") { system in
      var gone = 0
      let a = system.source(0)
      let box = system.computed(isDuplicate: { $0 === $1 }) {
        _ = a.value
        return Farewell { gone += 1 }
      }
      box.add(Told(), in: system)
      try a.set(1)
      // No listener was told of the first value, so it has gone. The log holds the second.
      expect(gone, is: 1)
      expect(box.value === box.value, is: true)
    },
    Claim("a scope counts its nodes and listeners, and those that went no more") { system in
      let scope = system.scope()
      try scope.enter {
        let a = system.source(0)
        let kept = system.computed { a.value }
        let combiner = system.every(0, of: kept) { kept.value }
        expect(scope.memberCount, is: 3)
        kept.add(Told(), in: system)
        expect(scope.memberCount, is: 4)
        try a.set(1)
        expect(combiner.value, is: 1)
      }
      expect(scope.memberCount, is: 0)
    },
    Claim(
      "a scope counts the nodes that are made in it, and not those made in a scope within it, before it or after it"
    ) {
      system in
      let outer = system.scope()
      let inner = system.scope()
      let before = system.source(0)
      let nodes = try outer.enter {
        let first = system.source(0)
        let second = try inner.enter { system.source(0) }
        return [first, second, system.source(0)]
      }
      let after = system.source(0)
      expect([outer.memberCount, inner.memberCount], is: [2, 1])
      withExtendedLifetime((before, nodes, after)) {}
    },
    Claim("closing a scope breaks a circle of computeds that hold each other") { system in
      let scope = system.scope()
      weak var node: AnyObject?
      try scope.enter {
        let holder = Told<Readable<Int>>()
        let one = system.computed { holder.values.isEmpty ? 0 : try holder.values[0].get() }
        let two = system.computed { try one.get() }
        expect(two.value, is: 0)
        holder.values.append(two)
        node = one.node
      }
      expect(node != nil, is: true)
      scope.close()
      expect(node == nil, is: true)
      expect(scope.memberCount, is: 0)
    },
  ]
}
