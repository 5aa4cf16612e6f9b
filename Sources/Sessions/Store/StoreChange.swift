// SPDX-License-Identifier: MIT
import ViewModels

/// A change of one stored session.
package struct StoreChange: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// The present record of the session, with those of its parts that are others than at the last change. Its model, owner
    /// and opening are as they were when it was put in, as are those of a closed one.
    case record(SessionRecord)
    /// It is closed for good: nothing is taken for it any more.
    case closed(ClosedSession)
    /// It is forgotten.
    case removed
    /// The session is put aside as it is stored, since it cannot be used: kept, and never found by its id.
    case setAside(reason: String)
  }

  package let id: String
  package let claim: SessionClaim
  /// Whether the store may not know the session yet; then one that it does not know is put in.
  package var isNew: Bool
  package var content: Content
  /// Grows from 1 with each change that an owner makes, so that a store to which an earlier one comes late can tell.
  package var number: UInt64

  package init(_ id: String, _ claim: SessionClaim, isNew: Bool = false, _ content: Content, number: UInt64 = 0) {
    self.id = id
    self.claim = claim
    self.isNew = isNew
    self.content = content
    self.number = number
  }

  /// The number of bytes to be written, about.
  var size: Int {
    switch content {
    case .record(let record):
      record.parts.put.reduce(256 + record.state.count + record.keys.count + (record.context?.count ?? 0)) {
        $0 + 64 + $1.key.count + $1.value.count
      }
    case .closed, .removed, .setAside: 256
    }
  }
}

extension StoreChange {
  /// Takes on what an earlier change of the same owner has that this one has not: parts, and being new.
  mutating func follow(_ earlier: StoreChange) {
    isNew = isNew || earlier.isNew
    guard case .record(let before) = earlier.content, case .record(var record) = content else { return }
    record.parts = before.parts.merged(with: record.parts)
    content = .record(record)
  }
}

/// The outcome of a change.
package enum CommitOutcome: Sendable, Equatable {
  /// It is in the store: as safely as was asked for.
  case durable
  /// Nothing was written: the session is another owner's, or closed, or gone. The holder of a copy drops it.
  case fenced
  /// It may have been written or not. The same change can be made again, or a later one of the same owner.
  case unknown(StoreError)
  /// Nothing was written, and trying again at once is of no use.
  case refused(StoreError)

  var error: StoreError? {
    switch self {
    case .durable, .fenced: nil
    case .unknown(let error), .refused(let error): error
    }
  }
}
