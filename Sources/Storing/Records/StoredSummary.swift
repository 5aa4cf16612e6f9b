// SPDX-License-Identifier: MIT
package import JSONPatching
import ViewModels

/// The result of a look at stored sessions.
package struct Expiry: Sendable, Equatable {
  package var forgotten = 0
  package var setAside: [StoreError] = []

  package init() {}
}

/// A summary of a stored session, without its state.
package struct StoredSummary: Sendable, Equatable {
  package let id: String
  package let model: String
  package let owner: Credential
  package let claim: SessionClaim
  /// The bytes of its state, of its parts and of its keys.
  package let bytes: Int
  /// The time of its last use, in seconds since 1970; `nil` for a closed session.
  package let lastUsed: Int64?
  /// The time until which the store remembers that it is closed, in seconds since 1970; `nil` for a living
  /// session.
  package let closedUntil: Int64?
  /// The id of the user: of the one who has signed in with its client, or of the one whose own session it is;
  /// `nil` for none.
  package let user: String?
  /// The parameters that it was opened with; `nil` for none.
  package let params: JSON?

  /// - Parameters:
  ///   - context: the record's context.
  ///   - userOfClient: the id of the user who has signed in with the session's client.
  package init(
    id: String, model: String, owner: Credential, claim: SessionClaim, bytes: Int, lastUsed: Int64?,
    closedUntil: Int64?, context: [UInt8]? = nil, userOfClient: String? = nil
  ) {
    let visitor = context.flatMap { try? JSONReader.read($0) }.map { Visitor(stored: $0) }
    let stored = visitor?.user?.id
    params = visitor?.params
    // The user of a client may have changed by now, so the stored one does not count. A user's own session
    // keeps its user.
    user = userOfClient ?? stored.flatMap { Credential.ofUser($0) == owner ? $0 : nil }
    self.id = id
    self.model = model
    self.owner = owner
    self.claim = claim
    self.bytes = bytes
    self.lastUsed = lastUsed.map { abs($0) }
    self.closedUntil = closedUntil
  }
}

/// The numbers of sessions in a store.
package struct StoreCount: Sendable, Equatable {
  package var living: Int
  package var closed: Int
  package var setAside: Int

  package init(living: Int = 0, closed: Int = 0, setAside: Int = 0) {
    self.living = living
    self.closed = closed
    self.setAside = setAside
  }
}

/// A session as its owner has it in a store: enough to know the client by, and to choose the session that ends.
/// It has no state.
package enum OwnedSession: Sendable, Equatable {
  case living(Living)
  case closed(ClosedSession)

  package struct Living: Sendable, Equatable {
    package let id: String
    /// The request that opened the session, if it has a key.
    package let opening: KeyedRequest?
    /// The last use, as in ``SessionRecord/lastUsed``.
    package let lastUsed: Int64
    /// The id of the user who opened the session; `nil` if nobody had signed in.
    package let openedBy: String?
  }

  package init(_ session: StoredSession) {
    switch session {
    case .living(let record):
      self = .living(
        Living(id: record.id, opening: record.opening, lastUsed: record.lastUsed, openedBy: record.openedBy))
    case .closed(let closed): self = .closed(closed)
    }
  }

  package var id: String {
    switch self {
    case .living(let living): living.id
    case .closed(let closed): closed.id
    }
  }
}
