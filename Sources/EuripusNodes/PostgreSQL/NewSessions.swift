// SPDX-License-Identifier: MIT
import Storing

/// The sessions that this node has put into the database of late, and those of them that the database has lost. A
/// value, without a clock.
///
/// A crash of the database loses its last commits, and so does a standby that takes its place before it has them.
/// Either ends the node's connection. The node still has such a session in memory, and puts it in again.
///
/// Any other session that is not there any more was deleted by a node that had a right to it. It stays gone.
struct NewSessions: Sendable {
  /// The time for which a commit may be lost. A crash loses those of three times `wal_writer_delay` at most, which is
  /// 10 seconds at most (https://www.postgresql.org/docs/15/wal-async-commit.html). A standby may be further behind.
  static let doubt: Duration = .seconds(30)

  /// The sessions that were put in, by their ids, with the times.
  private var new: [String: (claim: SessionClaim, at: ContinuousClock.Instant)] = [:]
  /// The sessions that were put in, and were not there after the connection had ended.
  private var lost: [String: SessionClaim] = [:]
  private var nextLook: ContinuousClock.Instant?

  /// The ids of the sessions to be looked for on a new connection.
  var doubtful: [String] { Array(new.keys) + lost.keys }

  /// Whether the database has lost the session of a change, which its owner goes on with.
  func hasLost(_ change: StoreChange) -> Bool { lost[change.id] == change.claim }

  /// Notes the outcomes of changes.
  ///
  /// - Parameter now: the present instant. The connection has not ended until then, so what was put in long before is
  ///   there for good.
  mutating func note(_ changes: [StoreChange], _ outcomes: [CommitOutcome], _ now: ContinuousClock.Instant) {
    if nextLook.map({ now >= $0 }) ?? true {
      new = new.filter { now - $0.value.at < Self.doubt }
      nextLook = now + Self.doubt
    }
    for (change, outcome) in zip(changes, outcomes) {
      switch (outcome, change.content) {
      case (.durable, .record) where change.isNew: (new[change.id], lost[change.id]) = ((change.claim, now), nil)
      case (.durable, _): lost[change.id] = nil
      // The session is another node's, or gone.
      case (.fenced, _): (new[change.id], lost[change.id]) = (nil, nil)
      case (.behind, _), (.unknown, _), (.refused, _): break
      }
    }
  }

  /// Notes the sessions that are there on a new connection, among the ``doubtful`` ones.
  mutating func found(_ ids: Set<String>) {
    for (id, entry) in new where !ids.contains(id) { lost[id] = entry.claim }
    lost = lost.filter { !ids.contains($0.key) }
    new = new.filter { ids.contains($0.key) }
  }
}
