// SPDX-License-Identifier: MIT
import JSONPatching

/// A row that a list shows, or is about to show: its state, and the revisions at which it came and last
/// changed.
final class RowPart: ObjectPart {
  let entry: ListEntry
  private(set) var cameAt: UInt64 = 0
  private(set) var changedAt: UInt64 = 0

  init(_ entry: ListEntry, _ shape: ObjectShape, showsKind: Bool, _ contents: [StateMember]) {
    self.entry = entry
    super.init(shape, showsKind: showsKind, contents)
  }

  /// Becomes a row of the list, from a revision on.
  func come(to list: ListPart, at revision: UInt64) {
    cameAt = revision
    changedAt = revision
    // A change since the part was made is as new as the row.
    _ = super.stamp(revision)
    join(list)
  }

  override func stamp(_ revision: UInt64) -> Bool {
    guard super.stamp(revision) else { return false }
    changedAt = revision
    return true
  }

  /// A row that came under a key takes the place of the one before it.
  override func lastChange(at path: ArraySlice<String>) -> UInt64? {
    super.lastChange(at: path).map { max($0, cameAt) }
  }
}
