// SPDX-License-Identifier: MIT

/// What is told once a transaction that an observable has another value than before it.
///
/// A watcher only takes note (D2: outputs are pulled): it must not write to the graph.
public protocol Watcher: AnyObject {
  /// Takes note of a change, once a transaction at most for each time that it was made a watcher.
  ///
  /// - Parameter tag: what was given to ``ObservableValue/watch(_:tag:)``.
  func nodeDidChange(_ tag: Int)
}

extension Node {
  func tellWatchers() {
    withPropagation { propagation in
      // The cursor of the engine, so that a watcher may end the entry that is next.
      propagation.deliveryCursor = state.pointee.subscribers
      while let entry = propagation.deliveryCursor {
        propagation.deliveryCursor = entry.pointee.next
        guard entry.pointee.role >= 0 else { continue }
        let watcher = entry.subscription._withUnsafeGuaranteedRef { subscription in
          unsafeDowncast(subscription, to: WatcherSubscription.self).watcher
        }
        watcher.nodeDidChange(Int(entry.pointee.role))
      }
    }
  }
}
