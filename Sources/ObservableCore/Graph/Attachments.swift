// SPDX-License-Identifier: MIT

/// The tables of a graph for objects that have no place of their own for something.
package final class Attachments {
  /// The objects behind entries of view models, by the entries' names: commands of methods, counters of events.
  package let objects = OwnerTable<[String: AnyObject]> { [:] }
  /// How many lists have a view model as a row.
  package let listCounts = OwnerTable<Int> { 0 }
  /// The derived values that nobody but their observers may know of.
  let derived = OwnerTable { DerivedValues() }
  /// The context of the session that the graph belongs to.
  package var context: AnyObject?

  func removeAll() {
    context = nil
    objects.removeAll()
    listCounts.removeAll()
    derived.removeAll()
  }
}

/// Derived values that are kept alive, each for as long as the subscription to it lasts.
struct DerivedValues {
  private static let minimumSweep = 16

  private var kept: [(node: Node, subscription: Subscription)] = []
  private var sweepAt = minimumSweep

  /// Keeps one. O(1), spread over the calls.
  ///
  /// - Returns: those that are let go of, for the caller to drop: a deinit of theirs may run user code.
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
