// SPDX-License-Identifier: MIT

/// A value that can be read and watched: what an ``Observable``, an ``ObservableCombiner`` and a ``Computed`` have in
/// common.
///
/// Observers are held strongly (S0-8). Subscribing does not replay the present value unless asked to (S0-5).
///
/// Not `Sendable`: one thread at a time.
public class ObservableValue<Value>: Node, Readable {
  /// The present value, or the error in its place.
  ///
  /// - Throws: what the formula of a ``Computed`` threw, or ``ObservableError/cycle(_:)``. An ``Observable`` and an
  ///   ``ObservableCombiner`` always have a value.
  @inlinable @inline(__always)
  public final func get() throws -> Value {
    if state.has(.computed) { return try unsafeDowncast(self, to: Computed<Value>.self).read() }
    return try unsafeDowncast(self, to: Observable<Value>.self).read()
  }

  /// The same, for code to which the type of the value is not known: the runtime is not asked for the optional that a
  /// computed has its value in, unless this is one.
  package final func getOfAnyType() throws -> Value {
    if state.has(.computed) { return try getOfComputed() }
    return try unsafeDowncast(self, to: Observable<Value>.self).read()
  }

  @inline(never)
  private final func getOfComputed() throws -> Value { try unsafeDowncast(self, to: Computed<Value>.self).read() }
}

extension ObservableValue {
  /// Adds an observer; the same one added twice is told twice (S0-6).
  ///
  /// With `replay` the observer is told the present value at once.
  ///
  /// - Returns: what ends just this subscription.
  @discardableResult
  public final func addObserver(_ observer: Observer<Value>, replay: Bool = false) -> Subscription {
    let subscription = Subscription(observer)
    withPropagation { propagation in
      propagation.guarding { try propagation.join(subscription, to: state) }
    }
    // A computed that holds an error has nothing to replay.
    if replay, case .success(let value) = Result(catching: get) { observer.replay(value) }
    return subscription
  }

  /// Removes every subscription of the observer; one that is not subscribed is left alone (S0-6). O(subscriptions).
  public final func removeObserver(_ observer: Observer<Value>) { removeEntries(of: observer) }

  /// Has `watcher` told, at the end of each transaction that changed the value, and only then.
  ///
  /// It is told the `tag`, so that one watcher serves many observables; not negative. The observable keeps the watcher
  /// alive until it goes, its graph is closed, or the subscription is disposed of.
  ///
  /// - Returns: what ends the watch.
  @discardableResult
  public final func watch(_ watcher: any Watcher, tag: Int) -> Subscription {
    let subscription = WatcherSubscription(watcher, tag: tag)
    withPropagation { propagation in
      propagation.guarding { try propagation.join(subscription, to: state, isWatcher: true) }
    }
    return subscription
  }
}

extension Node {
  func removeEntries(of observer: GraphMember) {
    withPropagation { propagation in
      let meant = Unmanaged.passUnretained(observer).toOpaque()
      // What goes with an entry may run user code, which may end the next: that waits until the walk is over.
      let wasLettingGo = propagation.isLettingGo
      propagation.isLettingGo = true
      var entry = state.pointee.subscribers
      while let here = entry {
        entry = here.pointee.next
        guard here.pointee.role != Entry.Role.dependent,
          here.subscription._withUnsafeGuaranteedRef({ $0.observer?.toOpaque() == meant })
        else { continue }
        propagation.leave(here)
      }
      propagation.isLettingGo = wasLettingGo
      propagation.letGo()
    }
  }
}
