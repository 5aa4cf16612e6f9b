// SPDX-License-Identifier: MIT
import JSONPatching

/// The rows of a list, linked in the order of their last change: those after a revision are found without the others.
struct RowsByChange {
  private var newest: RowPart?

  mutating func insertNewest(_ row: RowPart) {
    row.older = newest
    newest?.newer = row
    newest = row
  }

  mutating func remove(_ row: RowPart) {
    let older = row.older
    if let newer = row.newer { newer.older = older } else if newest === row { newest = older }
    older?.newer = row.newer
    row.older = nil
    row.newer = nil
  }

  mutating func moveToNewest(_ row: RowPart) {
    if newest === row { return }
    remove(row)
    insertNewest(row)
  }

  /// One by one: a chain let go of at its head would end one within the other, and overflow the stack.
  mutating func removeAll() {
    while let row = newest { remove(row) }
  }

  /// The rows that changed or came after a revision, the first first. O(their number).
  func changed(since revision: UInt64) -> [RowPart] {
    var changed: [RowPart] = []
    var next = newest
    while let row = next, row.changedAt > revision {
      changed.append(row)
      next = row.older
    }
    return changed.reversed()
  }
}

/// The rows that a list has no more, as far back as a bounded memory goes.
struct RemovedRows {
  private struct Removal {
    let entry: ListEntryKey
    let cameAt: UInt64
    let removedAt: UInt64
  }

  /// The rest of an entry whose row is gone: its key, and how that stands in a pointer.
  struct ListEntryKey {
    let key: ExactText
    let segment: [UInt8]
  }

  private var removals: [Removal] = []
  /// Removals up to this revision may be forgotten.
  private var floor: UInt64 = 0

  /// No more removals are remembered.
  static let most = 256

  mutating func remember(_ row: RowPart, revision: UInt64) {
    let key = ListEntryKey(key: row.entry.key, segment: row.entry.segment)
    removals.append(Removal(entry: key, cameAt: row.cameAt, removedAt: revision))
    guard removals.count > Self.most else { return }
    // Half at once, so that each removal costs O(1).
    floor = removals[Self.most / 2].removedAt
    removals.removeFirst(Self.most / 2 + 1)
  }

  /// The rows that a reader at `revision` has and the list has not; `nil` if that is too long ago.
  func keys(since revision: UInt64) -> [ListEntryKey]? {
    if revision < floor { return nil }
    return removals.reversed().prefix { $0.removedAt > revision }.filter { $0.cameAt <= revision }.reversed().map(
      \.entry)
  }
}
