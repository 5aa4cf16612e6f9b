// SPDX-License-Identifier: MIT
import JSONPatching

/// One row that a list shows: its state, and when it came and last changed.
final class RowPart: StatePart {
  let entry: ListEntry
  let object: ObjectPart
  let cameAt: UInt64
  private(set) var changedAt: UInt64
  /// The rows that last changed before this one and after it; the list sees to them.
  var older: RowPart?
  unowned var newer: RowPart?

  init(_ entry: ListEntry, of list: ListPart, showsKind: Bool, cameAt: UInt64) {
    self.entry = entry
    self.cameAt = cameAt
    changedAt = cameAt
    object = entry.model.part(showsKind: showsKind)
    super.init()
    join(list)
    object.join(self)
  }

  override func stamp(_ revision: UInt64) -> Bool {
    guard takeBegun(), object.stamp(revision) else { return false }
    changedAt = revision
    return true
  }

  override func detach() {
    super.detach()
    object.detach()
  }
}
