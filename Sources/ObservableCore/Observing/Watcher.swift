// SPDX-License-Identifier: MIT

/// An object that is told, once a transaction, that an observable has another value than before it.
///
/// A watcher only takes note (D2: outputs are pulled): it must not write to the graph.
public protocol Watcher: AnyObject {
  /// Takes note of a change, once a transaction at most for each time that it was made a watcher.
  ///
  /// - Parameter tag: the tag that was given to ``ObservableValue/watch(_:tag:)``.
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
