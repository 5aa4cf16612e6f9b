// SPDX-License-Identifier: MIT

/// A watcher that may have a node's own place. A class, as a reference to one takes half the memory of one to a protocol.
// Open, as a class that is `package` cannot be inherited from in another module.
open class OwnWatcher: Watcher {
  /// A watcher of no node yet.
  public init() {}

  /// Takes the notice of ``Watcher/nodeDidChange(_:)``; does nothing unless it is overridden.
  open func nodeDidChange(_ tag: Int) {}
  /// Takes the notice of ``Watcher/nodeIsEqual(_:)``; does nothing unless it is overridden.
  open func nodeIsEqual(_ tag: Int) {}
}
