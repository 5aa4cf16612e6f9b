// SPDX-License-Identifier: MIT

/// The facts that a store knows of a session before a change of it.
package struct StoredState: Sendable, Equatable {
  /// The last claim on the session.
  package let claim: SessionClaim
  /// The number of the last change that was taken by that claim; 0 if there was none.
  package let number: UInt64
  package let isClosed: Bool

  package init(claim: SessionClaim, number: UInt64, isClosed: Bool) {
    self.claim = claim
    self.number = number
    self.isClosed = isClosed
  }
}

/// The verdict on a change: whether it is written.
package enum StoreVerdict: Sendable, Equatable {
  case isTaken
  /// The change need not be written: it, or a later one of its owner, has been written before.
  case isDone
  case fenced
  /// The store has lost changes that this one builds on.
  case isBehind
}

extension StoreChange {
  /// The rule by which every store decides on a change.
  ///
  /// A session that is not there may be gone for good: another owner has ended it. So its owner puts it in again only
  /// where the store knows that it has lost the session.
  ///
  /// - Parameters:
  ///   - stored: the facts about the session; `nil` if the store does not have it.
  ///   - isLost: whether the store had the session from this owner, and has lost it.
  package func verdict(on stored: StoredState?, isLost: Bool = false) -> StoreVerdict {
    guard let stored else {
      return switch content {
      case .record: isNew ? .isTaken : isLost ? .isBehind : .fenced
      case .closed: isNew || isLost ? .isTaken : .fenced
      case .removed, .setAside: .isDone
      }
    }
    guard stored.claim == claim else { return .fenced }
    if stored.isClosed {
      // The closing may come again, or a change from before it. And a closed session may be forgotten.
      return switch content {
      case .closed: .isDone
      case .record: number < stored.number ? .isDone : .fenced
      case .removed: .isTaken
      case .setAside: .fenced
      }
    }
    if number < stored.number { return .isDone }
    if case .record = content, stored.number < since { return .isBehind }
    return .isTaken
  }
}
