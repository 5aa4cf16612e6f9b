// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// The outcome of a look at stored sessions.
package struct Expiry: Sendable, Equatable {
  package var forgotten = 0
  package var setAside: [StoreError] = []

  package init() {}
}

/// A view of a stored session without its state.
package struct StoredSummary: Sendable, Equatable {
  package let id: String
  package let model: String
  package let owner: Credential
  package let claim: SessionClaim
  /// The bytes of its state, with its parts, and its keys.
  package let bytes: Int
  /// The time of its last use, in seconds since 1970.
  package let lastUsed: Int64?
  /// The time until which it is known as closed, in seconds since 1970; `nil` if it is not closed.
  package let closedUntil: Int64?
  /// The user of the session: the one who has signed in with its client, or whose own it is; `nil` for nobody.
  package let user: String?

  /// - Parameters:
  ///   - context: the JSON that is stored of the visitor.
  ///   - userOfClient: the user who has signed in with the client whose it is.
  package init(
    id: String, model: String, owner: Credential, claim: SessionClaim, bytes: Int, lastUsed: Int64?,
    closedUntil: Int64?, context: [UInt8]? = nil, userOfClient: String? = nil
  ) {
    let stored = context.flatMap { try? JSONReader.read($0) }.flatMap { Visitor(stored: $0).user?.id }
    // A client's user may be another one by now; a user's own session is the user's for ever.
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
