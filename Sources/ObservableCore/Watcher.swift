// SPDX-License-Identifier: MIT

/// What is told once a transaction that an observable has another value than before it.
///
/// A watcher only takes note (D2: outputs are pulled): it must not write to the graph.
public protocol Watcher: AnyObject {
  func nodeDidChange(_ tag: Int)
}
