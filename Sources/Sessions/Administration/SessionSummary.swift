// SPDX-License-Identifier: MIT
package import JSONPatching
package import ViewModels

/// An operator's view of a session, without any secret that would let the operator use it.
package struct SessionSummary: Sendable, Equatable {
  package let id: String
  package let model: String
  /// The name of the client that owns the session, as view models know it too. A session that is a user's own
  /// has the user's name here.
  package let client: String
  /// The user who has signed in; `nil` for nobody.
  package let user: String?
  /// The parameters that it was opened with, by which rooms on one view model are told apart; `nil` for none.
  package let params: JSON?
  /// Seconds since the last use.
  package let age: Int64
  /// The bytes that are counted for it in memory, or that it takes in the store.
  package let bytes: Int
  /// The number of polls and streams that wait in it.
  package let readers: Int
  /// Whether it is in the store alone.
  package let isStored: Bool
}

/// The sessions that an operator asks for. A session is taken if it meets every condition that is not `nil`.
package struct SessionFilter: Sendable, Equatable {
  package var model: String?
  package var user: String?
  package var client: String?
  /// The least number of seconds since the last use.
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

/// A page of a list of sessions, in the order of their ids.
package struct SessionPage: Sendable, Equatable {
  package let sessions: [SessionSummary]
  /// The id after which the next page begins; `nil` on the last page.
  package let next: String?
}

/// A client that follows a session.
package struct SessionFollower: Sendable, Equatable {
  /// Its name, as view models know it.
  package let client: String
  /// The id of its user; `nil` while nobody has signed in there.
  package let user: String?
  /// The number of its polls and streams.
  package var readers: Int
}

/// A look into one session.
package struct SessionLook: Sendable {
  package let summary: SessionSummary
  /// The clients that follow it, the one first that came first.
  package let followers: [SessionFollower]
  /// The guests of a room in memory that takes some.
  package let guests: [RoomGuest]
  /// The document that a client would read, as JSON; `nil` for a session in the store alone.
  package let snapshot: Message?
  /// The values from which the state is computed, as the store has them in JSON, without secrets; `nil` for a
  /// session in memory.
  package let values: [UInt8]?
}
