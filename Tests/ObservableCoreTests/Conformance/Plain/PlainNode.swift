// SPDX-License-Identifier: MIT

/// A member of a scope in the plain system: a node or a listener.
class PlainMember {
  let system: PlainSystem

  init(_ system: PlainSystem) {
    self.system = system
    system.enteredScope?.members.append(PlainScope.Member(object: self))
  }

  func tearDown() {}
}

/// A place in the graph of the plain system. It knows its inputs, and no node that depends on it: to find these
/// it looks at all nodes.
class PlainNode: PlainMember {
  let name: String
  /// The number of times in this transaction that it ran or its listeners were told.
  var turns = 0
  /// Whether it waits in the queue for its listeners to be told.
  var isQueued = false

  init(_ system: PlainSystem, name: String) {
    self.name = name
    super.init(system)
    system.join(self)
  }

  /// Brings the inputs of this node up to date, then the node itself. `visited` ends the way round a cycle.
  func bringUp(_ visited: inout Set<ObjectIdentifier>) {}
  /// Takes note that `source`, on which this may depend, has changed.
  func noticeChange(of source: PlainNode) {}
  /// Tells the listeners that have not been told.
  func tell() {}
  /// Makes a write of the transaction's body a change, or none.
  func decide() {}
  /// Takes note of the present as the time before a transaction. The answer puts everything back to it.
  func remember() -> () -> Void { {} }
  /// Ends a transaction that stays.
  func commit() {}
  /// Ends a transaction, whether it stays or not: the values before it are of no more use.
  func forget() {}
  /// The memory of this node that a dependent node needs; `nil` if `noticeChange` is enough.
  func memory() -> PlainMemory? { nil }
}

/// The value of a computed that a dependent node saw last.
class PlainMemory {
  /// Whether there is news since the last call. From now on it has been seen.
  func takeNews() -> Bool { false }
  func remember() -> () -> Void { {} }
}

/// A reference that does not keep the node alive.
struct PlainWeakNode {
  weak var node: PlainNode?
}
