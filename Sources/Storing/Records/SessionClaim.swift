// SPDX-License-Identifier: MIT

/// The right by which an owner writes a session. Only the latest claim on a session counts.
///
/// No two claims are equal: each opening of a store has its own `boot`, and each claim since then its own
/// `number`.
package struct SessionClaim: Sendable, Hashable, CustomStringConvertible {
  package let boot: UInt64
  package let number: UInt64

  package init(boot: UInt64, number: UInt64) {
    self.boot = boot
    self.number = number
  }

  /// Whether the other claim was made after this one, and so counts.
  func isEarlier(than other: SessionClaim) -> Bool { (boot, number) < (other.boot, other.number) }

  package var description: String { "\(boot).\(number)" }

  /// Reads the form of ``description``; `nil` for any other text.
  init?(_ text: Substring) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, let boot = UInt64(parts[0]), let number = UInt64(parts[1]) else { return nil }
    self.init(boot: boot, number: number)
  }
}

/// A session as its owner knows it to be in the store.
package struct HeldSession: Sendable {
  package let id: String
  package let claim: SessionClaim
  /// The number of the last change that the store has taken from this owner; 0 if there was none.
  package let lastNumber: UInt64

  package init(_ id: String, _ claim: SessionClaim, lastNumber: UInt64) {
    (self.id, self.claim, self.lastNumber) = (id, claim, lastNumber)
  }

  /// Whether the store has it like that.
  package func isAsStored(_ stored: StoredState?) -> Bool {
    guard let stored else { return false }
    return stored.claim == claim && stored.number >= lastNumber && !stored.isClosed
  }
}

/// A claim that is to be made.
package struct ClaimOffer: Sendable {
  package let id: String
  package let claim: SessionClaim
  /// The claim of another node that does not count any more, because the node has let go of the session or is
  /// gone.
  package var evenFrom: SessionClaim?

  package init(_ id: String, _ claim: SessionClaim, evenFrom: SessionClaim? = nil) {
    self.id = id
    self.claim = claim
    self.evenFrom = evenFrom
  }
}

/// The outcome of a claim.
package enum ClaimOutcome: Sendable, Equatable {
  /// The claimant has the session. All other owners are fenced: their changes are not taken from here on.
  ///
  /// - Parameter claim: the claim by which to write the session. It may differ from the one that was offered.
  case held(SessionRecord, SessionClaim)
  case closed(ClosedSession)
  /// Another node has the session.
  case elsewhere(Whereabouts)
  /// There is no such session.
  case none
  /// The record cannot be read, and was put aside for the store's operator.
  case setAside(StoreError)
  /// The store could not do it now. The claim may or may not count, and can be made again.
  case failed(StoreError)
}
