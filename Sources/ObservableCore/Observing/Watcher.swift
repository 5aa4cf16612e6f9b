// SPDX-License-Identifier: MIT

/// An object that is told once in a transaction that an observable's value differs from the one before the
/// transaction.
///
/// A watcher only takes notes, as outputs are pulled: it must not write to the graph (D2).
public protocol Watcher: AnyObject {
  /// Notes a change. It is called at most once in a transaction for each watch.
  ///
  /// - Parameter tag: the tag that was given to ``ObservableValue/watch(_:tag:)``.
  func nodeDidChange(_ tag: Int)

  /// Notes that an observable was written, or computed anew, and is equal to its value before the transaction.
  /// It need not be the same: equal texts may have different bytes.
  ///
  /// By default it does nothing.
  func nodeIsEqual(_ tag: Int)
}

extension Watcher {
  public func nodeIsEqual(_ tag: Int) {}
}
