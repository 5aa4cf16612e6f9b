// SPDX-License-Identifier: MIT

/// A watcher that may have a node's own place. It is a class, as a reference to a class takes half the memory
/// of one to a protocol.
// It is open, as a class that is `package` cannot be inherited from in another module.
open class OwnWatcher: Watcher {
  /// Makes a watcher that watches no node yet.
  public init() {}

  /// Does nothing unless it is overridden: see ``Watcher/nodeDidChange(_:)``.
  open func nodeDidChange(_ tag: Int) {}
  /// Does nothing unless it is overridden: see ``Watcher/nodeIsEqual(_:)``.
  open func nodeIsEqual(_ tag: Int) {}
}
