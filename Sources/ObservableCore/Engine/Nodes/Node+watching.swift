// SPDX-License-Identifier: MIT

/// The node's own place for a watcher.
///
/// Most watched nodes have one watcher, the state that shows them. Its place is in the node, and takes no
/// object of its own. Any further watcher has a subscription.
extension Node {
  /// Tells `watcher` as ``ObservableValue/watch(_:tag:)`` does.
  ///
  /// If a transaction is undone, a watch in the node's own place stays.
  ///
  /// - Returns: a handle that ends the watch; `nil` if the watcher got the node's own place, which
  ///   ``endWatch(by:)`` empties.
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

  /// Ends the watch in the node's own place, if this watcher has it.
  package final func endWatch(by watcher: OwnWatcher) {
    guard ownWatcher === watcher else { return }
    withPropagation { propagation in
      giveUpOwnWatcher(propagation)
      propagation.didLeave(state)
      // This comes last, as the watcher may go with it.
      propagation.letGo()
    }
  }

  /// Empties the node's own place. The caller lets go of the watcher afterwards.
  final func giveUpOwnWatcher(_ propagation: Propagation) {
    guard let watcher = ownWatcher else { return }
    ownWatcher = nil
    propagation.letGoLater(of: watcher)
  }

  /// Tells `watcher`, with a subscription of its own.
  final func addWatcher(_ watcher: any Watcher, tag: Int) -> Subscription {
    let subscription = WatcherSubscription(watcher, tag: tag)
    join(subscription, isWatcher: true)
    return subscription
  }
}
