// SPDX-License-Identifier: MIT

extension ObservableValue {
  /// Adds an observer; the same one added twice is told twice (S0-6).
  ///
  /// With `replay` the observer is told the present value at once.
  ///
  /// A value that is made of others, and belongs to a ``Graph``, is kept for as long as the subscription lasts and its
  /// owner lives. The owner is that of the value, as in `Computed(self)`; if it has none, that of the observer, as in
  /// `Observer(self)`. Without any, or outside every graph, somebody has to hold it.
  ///
  /// - Returns: a handle that ends just this subscription.
  @discardableResult
  public final func addObserver(_ observer: Observer<Value>, replay: Bool = false) -> Subscription {
    let subscription = Subscription(observer)
    join(subscription)
    let keeper = formulaOwner.map(\.object) ?? observer.owner
    if isDerived, let graph, let keeper, !subscription.isDisposed {
      // Last, as a node that goes may run a deinit of user code.
      withExtendedLifetime(graph.attachments.derived.change(of: keeper) { $0.keep(self, for: subscription) }) {}
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
  /// - Returns: a handle that ends the watch.
  @discardableResult
  public final func watch(_ watcher: any Watcher, tag: Int) -> Subscription {
    addWatcher(watcher, tag: tag)
  }
}
