// SPDX-License-Identifier: MIT

/// The owner of a set of nodes and observers: closing it drops every closure they hold.
///
/// Everything that is made while the graph is entered belongs to it: `let login = graph.enter { LoginViewModel() }`.
/// The graph does not keep its members alive; it makes sure that closures which capture each other strongly
/// cannot either (S0-12, S0-D6). What is made outside every graph lives and dies by reference counting alone.
///
/// A graph is not `Sendable`: it and all that belongs to it are used by one thread at a time.
public final class Graph {
  unowned(unsafe) private var first: GraphMember?

  /// How many nodes and observers are alive.
  public private(set) var memberCount = 0
  /// Whether `close()` was called. A closed graph's values can still be read and written; nobody who
  /// was subscribed is told.
  public private(set) var isClosed = false

  public init() {}

  deinit { close() }

  /// Runs `body` with this graph as the owner of what it makes.
  public func enter<Result>(_ body: () throws -> Result) rethrows -> Result {
    let propagation = Propagation.current
    let outer = propagation.enteredGraph
    propagation.enteredGraph = self
    defer { propagation.enteredGraph = outer }
    return try body()
  }

  /// Drops every closure, subscription and link of every member. O(members); closing twice is harmless.
  public func close() {
    isClosed = true
    // A member that goes while another is torn down takes itself out of the list, hence the snapshot that holds all.
    var members: [GraphMember] = []
    members.reserveCapacity(memberCount)
    var cursor = first
    while let member = cursor {
      members.append(member)
      cursor = member.next
    }
    for member in members { member.tearDown() }
  }

  func insert(_ member: GraphMember) {
    member.graph = self
    member.next = first
    first?.previous = member
    first = member
    memberCount += 1
  }

  func remove(_ member: GraphMember) {
    if let previous = member.previous { previous.next = member.next } else { first = member.next }
    member.next?.previous = member.previous
    memberCount -= 1
  }
}
