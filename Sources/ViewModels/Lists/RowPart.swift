// SPDX-License-Identifier: MIT
import JSONPatching

/// One row that a list shows: its state, and when it came and last changed.
final class RowPart: StatePart {
  private unowned let list: ListPart
  let entry: ListEntry
  let object: ObjectPart
  let cameAt: UInt64
  private(set) var changedAt: UInt64
  /// Set from the first change until the next stamp.
  private var isBegun = false
  override var hasBegun: Bool { isBegun }
  /// The rows that last changed before this one and after it; the list sees to them.
  var older: RowPart?
  unowned var newer: RowPart?

  init(_ entry: ListEntry, of list: ListPart, showsKind: Bool, cameAt: UInt64) {
    self.list = list
    self.entry = entry
    self.cameAt = cameAt
    changedAt = cameAt
    object = entry.model.part(showsKind: showsKind)
    super.init()
    join(list)
    object.join(self)
  }

  override func partDidBegin(_ tag: Int) {
    if isBegun { return }
    isBegun = true
    if parent != nil { list.rowDidBegin(self) }
  }

  override func stamp(_ revision: UInt64) -> Bool {
    isBegun = false
    guard object.stamp(revision) else { return false }
    changedAt = revision
    return true
  }

  override func detach() {
    super.detach()
    object.detach()
  }
}
