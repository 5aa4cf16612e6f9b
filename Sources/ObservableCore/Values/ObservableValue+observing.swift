// SPDX-License-Identifier: MIT

extension ObservableValue {
  /// Adds an observer. One that is added twice is told twice (S0-6).
  ///
  /// With `replay` the observer is told the present value at once.
  ///
  /// A value that is made of others, and belongs to a ``Graph``, is kept alive for as long as the subscription
  /// lasts and its owner lives. The owner is that of the value, as in `Computed(self)`; if it has none, that of
  /// the observer, as in `Observer(self)`. Without an owner, or outside every graph, other code has to keep the
  /// value alive.
  ///
  /// - Returns: a handle that ends this subscription alone.
  @discardableResult
  public final func addObserver(_ observer: Observer<Value>, replay: Bool = false) -> Subscription {
    let subscription = Subscription(observer)
    join(subscription)
    let keeper = formulaOwner.map(\.object) ?? observer.owner
    if isDerived, let graph, let keeper, !subscription.isDisposed {
      // They are released last, as their deinit may run user code.
      withExtendedLifetime(graph.attachments.derived.change(of: keeper) { $0.keep(self, for: subscription) }) {}
    }
    // A computed with an error has no value to replay.
    if replay, case .success(let value) = Result(catching: get) { observer.replay(value) }
    return subscription
  }

  /// Removes every subscription of the observer, if it has any (S0-6). O(subscriptions).
  public final func removeObserver(_ observer: Observer<Value>) { removeEntries(of: observer) }

  /// Tells `watcher` at the end of each transaction that has changed the value, and only then.
  ///
  /// It is told the `tag`, so that one watcher serves many observables; the tag must not be negative. The
  /// observable keeps the watcher alive until the observable goes, its graph is closed, or the subscription is
  /// disposed of.
  ///
  /// - Returns: a handle that ends the watch.
  @discardableResult
  public final func watch(_ watcher: any Watcher, tag: Int) -> Subscription {
    addWatcher(watcher, tag: tag)
  }
}
