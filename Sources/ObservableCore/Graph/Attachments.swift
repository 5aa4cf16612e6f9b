// SPDX-License-Identifier: MIT

/// The tables of a graph for objects that have no property for a value.
package final class Attachments {
  /// The objects that belong to entries of view models, by the entries' names: commands of methods, counters of
  /// events.
  package let objects = OwnerTable<[String: AnyObject]> { [:] }
  /// The number of lists that have a view model as a row.
  package let listCounts = OwnerTable<Int> { 0 }
  /// The derived values that only their observers may know.
  let derived = OwnerTable { DerivedValues() }
  /// The context of the graph's session.
  package var context: AnyObject?

  func removeAll() {
    context = nil
    objects.removeAll()
    listCounts.removeAll()
    derived.removeAll()
  }
}

/// Derived values that are kept alive, each for as long as its subscription lasts.
struct DerivedValues {
  private static let minimumSweep = 16

  private var kept: [(node: Node, subscription: Subscription)] = []
  private var sweepAt = minimumSweep

  /// Keeps a derived value. O(1), spread over the calls.
  ///
  /// - Returns: the values that are no longer kept. The caller drops them, as their deinit may run user code.
  mutating func keep(_ node: Node, for subscription: Subscription) -> [Node] {
    var ended: [Node] = []
    if kept.count >= sweepAt {
      ended = kept.filter(\.subscription.isDisposed).map(\.node)
      kept.removeAll(where: \.subscription.isDisposed)
      sweepAt = max(Self.minimumSweep, 2 * kept.count)
    }
    kept.append((node, subscription))
    return ended
  }
}
