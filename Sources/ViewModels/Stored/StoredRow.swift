// SPDX-License-Identifier: MIT
import ObservableCore

/// One row of a list that is stored in parts: its stored JSON, and whether that may have changed.
final class StoredRow: OwnWatcher {
  let entry: ListEntry
  /// The stored JSON; `nil` if nothing is stored.
  var text: [UInt8]?
  /// It is not used once the row is over: the nodes that the row watched may keep it alive for longer than the
  /// list.
  private unowned let list: ListParts
  private(set) var isOver = false
  private var hasBegun = true
  private var sources: [Node]?
  private var subscriptions: [Subscription] = []

  /// Makes a row that has begun to change, since nothing is known of it.
  init(_ entry: ListEntry, of list: ListParts) {
    self.entry = entry
    self.list = list
  }

  var isWatching: Bool { sources != nil }

  /// Watches nodes, which tell it from here on when it changes.
  ///
  /// - Parameter nodes: the nodes that decide about it; `nil` if it may change without their telling.
  /// - Returns: whether it is told.
  func watch(_ nodes: [Node]?) -> Bool {
    guard let nodes else { return false }
    sources = nodes
    subscriptions = nodes.compactMap { $0.watch(by: self, tag: 0) }
    return true
  }

  func takeBegun() { hasBegun = false }

  /// Ends the watches, each of which keeps the row alive.
  func end() {
    if isOver { return }
    isOver = true
    for subscription in subscriptions { subscription.dispose() }
    for node in sources ?? [] { node.endWatch(by: self) }
    (subscriptions, sources) = ([], [])
  }

  override func nodeDidChange(_ tag: Int) {
    if hasBegun || isOver { return }
    hasBegun = true
    list.rowDidBegin(self)
  }

  /// A value that is equal may have another text.
  override func nodeIsEqual(_ tag: Int) { nodeDidChange(tag) }
}
