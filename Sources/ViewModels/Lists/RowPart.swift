// SPDX-License-Identifier: MIT
import JSONPatching

/// One row that a list shows: its state, and when it came and last changed.
final class RowPart: StatePart {
  let entry: ListEntry
  let object: ObjectPart
  let cameAt: UInt64
  private(set) var changedAt: UInt64
  /// The bytes that the list has counted for the row: its key, its state, a colon and a comma.
  var counted = 0
  /// The rows that last changed before this one and after it; the list sees to them.
  var older: RowPart?
  unowned var newer: RowPart?

  /// - Parameter object: the row's state, if it was made already.
  init(_ entry: ListEntry, of list: ListPart, showsKind: Bool, cameAt: UInt64, object: ObjectPart?) {
    self.entry = entry
    self.cameAt = cameAt
    changedAt = cameAt
    self.object = object ?? entry.model.part(showsKind: showsKind)
    super.init()
    // A change since it was made is as new as the row.
    _ = self.object.stamp(cameAt)
    join(list)
    self.object.join(self)
  }

  override func stamp(_ revision: UInt64) -> Bool {
    guard takeBegun(), object.stamp(revision) else { return false }
    changedAt = revision
    return true
  }

  override var length: Int { object.length }

  override func measure() -> Int { object.measure() }

  override func forgetBegun() {
    super.forgetBegun()
    object.forgetBegun()
  }

  override func forgetMeasured() { object.forgetMeasured() }

  override func detach() {
    super.detach()
    object.detach()
  }
}
