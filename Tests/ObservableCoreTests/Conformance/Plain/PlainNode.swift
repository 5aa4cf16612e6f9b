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

/// A place in the graph of the plain system. It knows its inputs, and no node that depends on it: a node that asks
/// looks at all the nodes there are.
class PlainNode: PlainMember {
  let name: String
  /// How often it ran or was told of in this transaction.
  var turns = 0
  /// Whether it waits for its listeners to be told.
  var isQueued = false

  init(_ system: PlainSystem, name: String) {
    self.name = name
    super.init(system)
    system.join(self)
  }

  /// Brings the inputs of this up to date, then this. `visited` ends the way round a cycle.
  func bringUp(_ visited: inout Set<ObjectIdentifier>) {}
  /// Takes note that `source`, on which this may depend, has changed.
  func noticeChange(of source: PlainNode) {}
  /// Tells the listeners that have not been told.
  func tell() {}
  /// A write of the transaction's body becomes a change, or none.
  func decide() {}
  /// Takes note of the present as the time before a transaction; the answer puts everything back to it.
  func remember() -> () -> Void { {} }
  /// The transaction is over, and stays.
  func commit() {}
  /// The transaction is over, whether it stays or not: the values before it are of no more use.
  func forget() {}
  /// The memory of this that a dependent needs, if that needs more than `noticeChange`.
  func memory() -> PlainMemory? { nil }
}

/// The part of a computed that a combiner has seen.
class PlainMemory {
  /// Whether there is something else to be seen than the last time. From here on it has been seen.
  func takeNews() -> Bool { false }
  func remember() -> () -> Void { {} }
}

/// A reference that does not keep the node alive.
struct PlainWeakNode {
  weak var node: PlainNode?
}
