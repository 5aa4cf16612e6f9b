// SPDX-License-Identifier: MIT

/// What is told once a transaction that an observable has another value than before it.
///
/// A watcher only takes note (D2: outputs are pulled): it must not write to the graph.
public protocol Watcher: AnyObject {
  /// Takes note of a change, once a transaction at most for each time that it was made a watcher.
  ///
  /// - Parameter tag: what was given to ``ObservableValue/watch(_:tag:)``.
  func nodeDidChange(_ tag: Int)

  /// Takes note that an observable was written, or made anew, and came to a value that is equal to the one before the
  /// transaction: which need not be the same, as equal texts may have other bytes.
  ///
  /// By default it does nothing.
  func nodeIsEqual(_ tag: Int)
}

extension Watcher {
  public func nodeIsEqual(_ tag: Int) {}
}

extension Node {
  func tellWatchers(isEqual: Bool = false) {
    withPropagation { propagation in
      // The cursor of the engine, so that a watcher may end the entry that is next.
      propagation.deliveryCursor = state.pointee.subscribers
      while let entry = propagation.deliveryCursor {
        propagation.deliveryCursor = entry.pointee.next
        guard entry.pointee.role >= 0 else { continue }
        let watcher = entry.subscription._withUnsafeGuaranteedRef { subscription in
          unsafeDowncast(subscription, to: WatcherSubscription.self).watcher
        }
        let tag = Int(entry.pointee.role)
        if isEqual { watcher.nodeIsEqual(tag) } else { watcher.nodeDidChange(tag) }
      }
    }
  }
}

extension ObservableValue {
  /// The value from before the transaction, for a watcher that is told of the end; `nil` for an error in its place.
  package final var valueBefore: Value? {
    guard state.has(.computed) else { return unsafeDowncast(self, to: Observable<Value>.self).before }
    let computed = unsafeDowncast(self, to: Computed<Value>.self)
    return computed.failureBefore == nil ? computed.before : nil
  }
}
