// SPDX-License-Identifier: MIT
import JSONPatching

/// The rows of a list in the order of their last change, as far back as its bounded memory goes. It finds the
/// rows after a revision without a look at the others.
struct RowsByChange {
  /// A row at one of its changes.
  private struct ChangedRow {
    let row: RowPart
    let revision: UInt64

    /// Whether the row has not changed again.
    var isLast: Bool { row.changedAt == revision }
  }

  /// The oldest first. A row that has changed several times is here several times.
  private var changes: [ChangedRow] = []
  /// The last revision whose changes may be forgotten.
  private var floor: UInt64 = 0

  /// The number of changes that are always remembered, however few rows there are.
  static let least = 64

  /// Notes that a row has come or changed, at the revision that the row has.
  ///
  /// - Parameter length: the bytes of the list's JSON. One change is remembered for each 256 of them. An
  ///   operation takes about 70 bytes, so to send the whole list takes not much more than to send that many
  ///   changes.
  mutating func note(_ row: RowPart, of length: Int) {
    changes.append(ChangedRow(row: row, revision: row.changedAt))
    let most = max(Self.least, length / 256)
    // It forgets half at once, so that each change costs O(1).
    guard changes.count > 2 * most else { return }
    changes.removeAll { !$0.isLast }
    guard changes.count > most else { return }
    let forgotten = changes.count - most
    floor = changes[forgotten - 1].revision
    changes.removeFirst(forgotten)
  }

  /// Forgets the rows that are no longer shown. O(remembered changes).
  mutating func forgetRemoved() { changes.removeAll { $0.row.parent == nil } }

  mutating func removeAll() { changes = [] }

  /// The rows that changed or came after a revision, the oldest change first; `nil` if that revision is too
  /// long ago. O(their changes).
  func changed(since revision: UInt64) -> [RowPart]? {
    if revision < floor { return nil }
    return changes.reversed().prefix { $0.revision > revision }.filter(\.isLast).reversed().map(\.row)
  }
}

/// The rows that have left a list, as far back as its bounded memory goes.
struct RemovedRows {
  private struct Removal {
    let entry: ListEntryKey
    let cameAt: UInt64
    let removedAt: UInt64
  }

  /// The rest of an entry whose row has left: its key, and the key's form in a pointer.
  struct ListEntryKey {
    let key: ExactText
    let segment: [UInt8]
  }

  private var removals: [Removal] = []
  /// The last revision whose removals may be forgotten.
  private var floor: UInt64 = 0

  /// The most removals that are remembered.
  static let most = 256

  mutating func remember(_ row: RowPart, revision: UInt64) {
    let key = ListEntryKey(key: row.entry.key, segment: row.entry.segment)
    removals.append(Removal(entry: key, cameAt: row.cameAt, removedAt: revision))
    guard removals.count > Self.most else { return }
    // It forgets half at once, so that each removal costs O(1).
    floor = removals[Self.most / 2].removedAt
    removals.removeFirst(Self.most / 2 + 1)
  }

  /// The keys of rows that a reader at `revision` has and the list has no more; `nil` if that revision is too
  /// long ago.
  func keys(since revision: UInt64) -> [ListEntryKey]? {
    if revision < floor { return nil }
    return removals.reversed().prefix { $0.removedAt > revision }.filter { $0.cameAt <= revision }.reversed().map(
      \.entry)
  }
}
