// SPDX-License-Identifier: MIT

/// A store's knowledge of a session before a change of it.
package struct StoredState: Sendable, Equatable {
  /// The last claim on it.
  package let claim: SessionClaim
  /// The number of the last change that was taken by that claim; 0 if none was.
  package let number: UInt64
  package let isClosed: Bool

  package init(claim: SessionClaim, number: UInt64, isClosed: Bool) {
    self.claim = claim
    self.number = number
    self.isClosed = isClosed
  }
}

/// Whether a change is to be written.
package enum StoreVerdict: Sendable, Equatable {
  case isTaken
  /// The store is as if it had just been written: it, or a later one of its owner, was before.
  case isDone
  case fenced
}

extension StoreChange {
  /// The rule of every store.
  ///
  /// - Parameter stored: `nil` if the store does not know the session.
  package func verdict(on stored: StoredState?) -> StoreVerdict {
    guard let stored else {
      return switch content {
      case .record, .closed: isNew ? .isTaken : .fenced
      case .removed, .setAside: .isDone
      }
    }
    guard stored.claim == claim else { return .fenced }
    if stored.isClosed {
      // Its closing may come again, or what was committed before it; and it may be forgotten.
      return switch content {
      case .closed: .isDone
      case .record: number < stored.number ? .isDone : .fenced
      case .removed: .isTaken
      case .setAside: .fenced
      }
    }
    return number < stored.number ? .isDone : .isTaken
  }
}
