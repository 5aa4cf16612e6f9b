// SPDX-License-Identifier: MIT

/// A store that several servers have open at once; each of them is a node.
///
/// While a node has a session, no other node can claim it; a claimant is told where the session is instead.
/// There are three exceptions: the node has given no sign for ``NodeWatch/patience``, the node has closed the
/// store, or the claimant knows that the node lets the session go.
package protocol SharedSessionStore: SessionStore {
  /// Says which view models this server hosts, and the latest schema that it knows of each one's stored state.
  /// It then claims no session on another view model, and none of a later schema. Those are left to servers
  /// that can make them again. To be called before the store is opened. Without it, all sessions are claimed.
  func hosts(_ schemas: [String: UInt32])

  /// Whether other nodes can reach this server. If not, they take its sessions without asking.
  var isShared: Bool { get }

  /// The secret by which other nodes recognise this node; `nil` before the store is open.
  var token: String? { get }

  /// The other nodes that have given no sign for long, by the numbers of their openings. Any thread may ask.
  func gone(_ now: ContinuousClock.Instant) -> [UInt64]

  /// Says that this node is there, and looks at the other nodes. To be called again and again, by one thread at
  /// a time, which need not be the thread of the other calls.
  ///
  /// It takes one round trip to the store, however many sessions it looks for: the time of a node's sign must not
  /// grow with them.
  ///
  /// - Parameters:
  ///   - now: the present instant, by the clock that measures how long others give no sign.
  ///   - sessions: gives the sessions that another node may have taken; `nil` to look for none. Its argument says
  ///     whether notices may have been missed, as at the first call and after a lost connection.
  func beat(
    _ now: ContinuousClock.Instant, lookingFor sessions: (_ mayHaveMissed: Bool) -> [String]?
  ) throws(StoreError) -> NodeSign

  /// Writes to a living session that it is to end, and tells the node that has it. Called like the other calls of a
  /// store.
  ///
  /// A claim takes back that the session is to make room for a newer one, since it is in use then. It does not take back
  /// an operator's end: the claimant is told that one (``SessionRecord/askedEnd``).
  func askToEnd(_ id: String, as closing: Closing) throws(StoreError)

  /// Takes back that sessions of this node are to end for this reason, as they stay. Other reasons stand.
  func keep(_ ids: [String], insteadOf closing: Closing) throws(StoreError)

  /// Tells the other servers of a topic that no session has told.
  func tell(_ topic: String) throws(StoreError)

  /// Tries to take a lock that one server at a time has. Any thread may ask.
  ///
  /// - Returns: `nil` if another server has it.
  func lock(_ name: String) throws(StoreError) -> (any StoreLock)?

  /// The living sessions that are to end, among these, with the reasons.
  func askedEnds(among ids: [String]) throws(StoreError) -> [String: Closing]
}

/// A lock that a server has. It is let go of with the object, and when the server is gone.
package protocol StoreLock: Sendable {
  /// Whether the server still has it. It asks the store.
  func isHeld() -> Bool
}

/// A sign of a node.
package struct NodeSign: Sendable, Equatable {
  /// The notices of all nodes, this one included, that have come since the sign before.
  package let notices: [NodeNotice]
  /// The sessions that another node has by now, among those that were looked for; `nil` if none were.
  package let taken: [String]?

  package init(notices: [NodeNotice], taken: [String]?) { (self.notices, self.taken) = (notices, taken) }
}
