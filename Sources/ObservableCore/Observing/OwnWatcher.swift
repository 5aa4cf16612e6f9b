// SPDX-License-Identifier: MIT

/// A watcher that may have a node's own place. A class, as a reference to one takes half the memory of one to a protocol.
// Open, as a class that is `package` cannot be inherited from in another module.
open class OwnWatcher: Watcher {
  public init() {}

  open func nodeDidChange(_ tag: Int) {}
  open func nodeIsEqual(_ tag: Int) {}
}
