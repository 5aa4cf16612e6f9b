// SPDX-License-Identifier: MIT

/// A store that several servers have at once, each a node of it.
///
/// A session that a node has is claimed by no other one, which is told where it is instead: unless that node has given no sign
/// for ``NodeWatch/patience``, or has closed the store, or the claimant knows that it lets the session go.
package protocol SharedSessionStore: SessionStore {
  /// Says which view models this server hosts, and the latest schema of each one's stored state that it knows: it claims no session
  /// of others, and none of a later schema, which are left to servers that can make them again. To be called before the store is
  /// opened; without it, all sessions are claimed.
  func hosts(_ schemas: [String: UInt32])

  /// Whether this server is a node that others can reach; if not, they take its sessions without asking.
  var isShared: Bool { get }

  /// The secret that other nodes know this one by; `nil` before the store is open.
  var token: String? { get }

  /// The other nodes that have given no sign for long, by their boots. Asked by any thread.
  func gone(_ now: ContinuousClock.Instant) -> [UInt64]

  /// Says that this node is there, and looks at the others. To be called again and again, by one thread at a time, which need not
  /// be the one of the other calls.
  ///
  /// - Parameter now: the present instant of the clock that measures how long others give no sign.
  /// - Returns: the notices of other nodes, and of this one, that have come since.
  func beat(_ now: ContinuousClock.Instant) throws(StoreError) -> [NodeNotice]

  /// Tells all nodes something. Called like the other calls of a store. What becomes of clients is told without it.
  func tell(_ notice: NodeNotice) throws(StoreError)

  /// The ids, of the given ones, of sessions that another node has by now. Called like ``beat(_:)``.
  func taken(of ids: [String]) throws(StoreError) -> [String]
}
