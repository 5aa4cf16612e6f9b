// SPDX-License-Identifier: MIT
import ViewModels

/// A change of one stored session.
package struct StoreChange: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// The present record of the session, with the parts that have changed since the last change. Its model,
    /// owner and opening never change, nor do those of a closed session.
    case record(SessionRecord)
    /// The session is closed for good. No later change of it is taken.
    case closed(ClosedSession)
    /// The session is forgotten.
    case removed
    /// The session cannot be used. Its record is kept as it is, but never found by the session's id.
    case setAside(reason: String)
  }

  package let id: String
  package let claim: SessionClaim
  /// Whether the store may not have the session: not yet, or not any more, as it has lost changes. It then puts in a
  /// session that it does not have. Such a record has all parts.
  package var isNew: Bool
  package var content: Content
  /// The number of the change. It grows from 1 with each change of an owner, so that a store notices one that
  /// comes late.
  package var number: UInt64
  /// The number of the change that its parts have changed since; 0 for the state that was read, and for all parts. A store that has an
  /// earlier one has lost changes, as a database does when it crashes.
  package private(set) var since: UInt64
  /// The topics of which a store of several servers tells the others when it has taken the change.
  package var told: [String] = []

  package init(
    _ id: String, _ claim: SessionClaim, isNew: Bool = false, _ content: Content, number: UInt64 = 0, since: UInt64 = 0
  ) {
    self.id = id
    self.claim = claim
    self.isNew = isNew
    self.content = content
    self.number = number
    self.since = since
  }

  /// About the number of bytes to be written.
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
  /// Takes on three things from an earlier change of the same owner: its parts, the change that they have changed
  /// since, and whether the session is new.
  package mutating func follow(_ earlier: StoreChange) {
    isNew = isNew || earlier.isNew
    since = min(since, earlier.since)
    told = earlier.told + told
    guard case .record(let before) = earlier.content, case .record(var record) = content else { return }
    record.parts = before.parts.merged(with: record.parts)
    content = .record(record)
  }
}

/// The outcome of a change.
package enum CommitOutcome: Sendable, Equatable {
  /// The change is in the store, as safely as was asked for.
  case durable
  /// Nothing was written: another owner has the session, or it is closed or gone. The holder of a copy drops
  /// it.
  case fenced
  /// The change may or may not have been written. It, or a later change of the same owner, can be committed
  /// again.
  case unknown(StoreError)
  /// Nothing was written, and it is of no use to try again at once.
  case refused(StoreError)
  /// Nothing was written, since the store has lost earlier changes of the owner, and this one builds on them. It may
  /// have lost the session itself. The owner makes a change with all parts (``PartsChange/isWhole``), as of a new
  /// session.
  case behind

  package var error: StoreError? {
    switch self {
    case .durable, .fenced, .behind: nil
    case .unknown(let error), .refused(let error): error
    }
  }
}
