// SPDX-License-Identifier: MIT

/// The right by which an owner writes a session: the latest claim on it is the one that counts.
///
/// No two are equal: `boot` is one for each opening of a store, and `number` one for each claim made since.
package struct SessionClaim: Sendable, Hashable, CustomStringConvertible {
  package let boot: UInt64
  package let number: UInt64

  package init(boot: UInt64, number: UInt64) {
    self.boot = boot
    self.number = number
  }

  /// Whether the other one was made after this one, and counts.
  func isEarlier(than other: SessionClaim) -> Bool { (boot, number) < (other.boot, other.number) }

  package var description: String { "\(boot).\(number)" }
}

/// A claim that is made.
package struct ClaimOffer: Sendable {
  package let id: String
  package let claim: SessionClaim
  /// The claim of another node that counts no more: the node has let go of the session, or is not there.
  package var evenFrom: SessionClaim?

  package init(_ id: String, _ claim: SessionClaim, evenFrom: SessionClaim? = nil) {
    self.id = id
    self.claim = claim
    self.evenFrom = evenFrom
  }
}

/// The outcome of a claim.
package enum ClaimOutcome: Sendable, Equatable {
  /// The session is the claimant's, and all other owners of it are fenced: their changes are not taken from here on.
  ///
  /// - Parameter claim: the one to write it by, which need not be the one that was offered.
  case held(SessionRecord, SessionClaim)
  case closed(ClosedSession)
  /// Another node has it.
  case elsewhere(Whereabouts)
  /// Nothing: there is no such session.
  case none
  /// The record cannot be read, and has been put aside for the operator of the store.
  case setAside(StoreError)
  /// The store could not do it now; the claim may count or not, and can be made again.
  case failed(StoreError)
}
