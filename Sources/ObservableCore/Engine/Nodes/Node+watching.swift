// SPDX-License-Identifier: MIT

/// The node's own place for a watcher.
///
/// Most nodes that are watched are so by one watcher, the state that shows them: its place is in the node, and takes no
/// object of its own. Any other has a subscription.
extension Node {
  /// Has `watcher` told as ``ObservableValue/watch(_:tag:)`` does.
  ///
  /// A watch in the node's own place is not taken back with a transaction that is undone.
  ///
  /// - Returns: a handle that ends the watch; `nil` if the watcher has the node's own place, which ``endWatch(by:)``
  ///   empties.
  package final func watch(by watcher: OwnWatcher, tag: Int) -> Subscription? {
    if has(.closed) { return nil }
    if ownWatcher != nil { return addWatcher(watcher, tag: tag) }
    withPropagation { propagation in
      propagation.guarding {
        try propagation.prepareToJoin(state)
        ownWatcher = watcher
        ownTag = Int32(tag)
        propagation.didJoin(state, isWatcher: true)
      }
    }
    return nil
  }

  /// Ends the watch of one that has the node's own place; another is left alone.
  package final func endWatch(by watcher: OwnWatcher) {
    guard ownWatcher === watcher else { return }
    withPropagation { propagation in
      giveUpOwnWatcher(propagation)
      propagation.didLeave(state)
      // Last, as the watcher may go with it.
      propagation.letGo()
    }
  }

  /// Empties the node's own place. Letting go of the watcher is the caller's.
  final func giveUpOwnWatcher(_ propagation: Propagation) {
    guard let watcher = ownWatcher else { return }
    ownWatcher = nil
    propagation.letGoLater(of: watcher)
  }

  /// Has `watcher` told, with a subscription of its own.
  final func addWatcher(_ watcher: any Watcher, tag: Int) -> Subscription {
    let subscription = WatcherSubscription(watcher, tag: tag)
    join(subscription, isWatcher: true)
    return subscription
  }
}
