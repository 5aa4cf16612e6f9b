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

/// The base class of Euripus' own watchers. An app conforms to ``Watcher`` instead.
///
/// A node keeps one of these in a field of its own, without a ``Subscription``, which saves memory. A reference to a
/// class takes half the memory of one to a protocol.
// It is open, as a class that is `package` cannot be inherited from in another module.
open class OwnWatcher: Watcher {
  /// Makes a watcher that watches no node yet.
  public init() {}

  /// Does nothing unless it is overridden: see ``Watcher/nodeDidChange(_:)``.
  open func nodeDidChange(_ tag: Int) {}
  /// Does nothing unless it is overridden: see ``Watcher/nodeIsEqual(_:)``.
  open func nodeIsEqual(_ tag: Int) {}
}
