// SPDX-License-Identifier: MIT

/// An operator's view of a session, without anything by which it could be used.
package struct SessionSummary: Sendable, Equatable {
  package let id: String
  package let model: String
  /// The client whose it is, as view models know it too; or its user, where it is a user's own.
  package let client: String
  /// The user who has signed in; `nil` for nobody.
  package let user: String?
  /// Seconds since somebody last used it.
  package let age: Int64
  /// The bytes that it is counted with, or that it has in the store.
  package let bytes: Int
  /// Polls and streams that wait in it.
  package let readers: Int
  /// Whether it is in the store alone.
  package let isStored: Bool
}

/// The sessions that an operator asks for: those that meet all that is not `nil`.
package struct SessionFilter: Sendable, Equatable {
  package var model: String?
  package var user: String?
  package var client: String?
  /// Seconds for which nobody has used them, at least.
  package var olderThan: Int64?

  package init(model: String? = nil, user: String? = nil, client: String? = nil, olderThan: Int64? = nil) {
    (self.model, self.user, self.client, self.olderThan) = (model, user, client, olderThan)
  }

  func takes(_ session: SessionSummary) -> Bool {
    if let model, session.model != model { return false }
    if let client, session.client != client { return false }
    if let user, session.user != user { return false }
    return session.age >= olderThan ?? 0
  }
}

/// Some of the sessions that there are, in the order of their ids.
package struct SessionPage: Sendable, Equatable {
  package let sessions: [SessionSummary]
  /// The id after which the next page begins; `nil` if there is no more.
  package let next: String?
}

/// A look into one session.
package struct SessionLook: Sendable {
  package let summary: SessionSummary
  /// The document that a client would read, as JSON; `nil` for a session that is in the store alone.
  package let snapshot: Message?
  /// The JSON that the store has of a session which is there alone: the values that its state is computed from, no secret among
  /// them; `nil` for one in memory.
  package let values: [UInt8]?
}
