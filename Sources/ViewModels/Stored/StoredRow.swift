// SPDX-License-Identifier: MIT
import ObservableCore

/// One row of a list that is stored in parts: what is stored of it, and whether that may be another by now.
final class StoredRow: OwnWatcher {
  let entry: ListEntry
  /// The JSON that is stored; `nil` if nothing is.
  var text: [UInt8]?
  /// Not asked once it is over: the nodes that it watched may keep it alive for longer.
  private unowned let list: ListParts
  private(set) var isOver = false
  private var hasBegun = true
  private var sources: [Node]?
  private var subscriptions: [Subscription] = []

  /// A row that has begun to change: nothing is known of it.
  init(_ entry: ListEntry, of list: ListParts) {
    self.entry = entry
    self.list = list
  }

  var isWatching: Bool { sources != nil }

  /// Is told from here on when it changes.
  ///
  /// - Parameter nodes: the ones that it comes from; `nil` if it may change without a word of theirs.
  /// - Returns: whether it is told.
  func watch(_ nodes: [Node]?) -> Bool {
    guard let nodes else { return false }
    sources = nodes
    subscriptions = nodes.compactMap { $0.watch(by: self, tag: 0) }
    return true
  }

  func takeBegun() { hasBegun = false }

  /// Ends the watches, each of which keeps it alive.
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

  /// Equal values may be written in other ways.
  override func nodeIsEqual(_ tag: Int) { nodeDidChange(tag) }
}
