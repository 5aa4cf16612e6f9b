// SPDX-License-Identifier: MIT

/// The outcome of a look at stored sessions.
package struct Expiry: Sendable, Equatable {
  package var forgotten = 0
  package var setAside: [StoreError] = []

  package init() {}
}

/// An operator's view of a stored session.
package struct StoredSummary: Sendable, Equatable {
  package let id: String
  package let model: String
  package let owner: Credential
  package let claim: SessionClaim
  /// The bytes of its state and its keys.
  package let bytes: Int
  /// Seconds since 1970.
  package let lastUsed: Int64?
  /// If it is closed: seconds since 1970.
  package let closedUntil: Int64?

  package init(
    id: String, model: String, owner: Credential, claim: SessionClaim, bytes: Int, lastUsed: Int64?, closedUntil: Int64?
  ) {
    self.id = id
    self.model = model
    self.owner = owner
    self.claim = claim
    self.bytes = bytes
    self.lastUsed = lastUsed
    self.closedUntil = closedUntil
  }
}

/// How many sessions a store has.
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
