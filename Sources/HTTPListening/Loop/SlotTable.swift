// SPDX-License-Identifier: MIT

/// The elements that a loop looks after, by slot. A tag names a slot and the number of times it was used. So an
/// event that comes after its element has left finds nothing.
struct SlotTable<Element> {
  private struct Slot {
    var element: Element?
    /// The number of times that the slot was used, from 1 on. So a tag is never less than 2³².
    var use: UInt32 = 0
  }

  private var slots: [Slot] = []
  private var free: [Int] = []

  var count: Int { slots.count - free.count }

  /// Puts an element into a free slot.
  mutating func insert(_ element: Element) -> (slot: Int, tag: UInt64) {
    let slot: Int
    if let reused = free.popLast() {
      slot = reused
    } else {
      slot = slots.count
      slots.append(Slot())
    }
    slots[slot].element = element
    slots[slot].use = slots[slot].use == .max ? 1 : slots[slot].use + 1
    return (slot, UInt64(slots[slot].use) << 32 | UInt64(slot))
  }

  /// Frees the slot.
  mutating func remove(_ slot: Int) {
    precondition(slots[slot].element != nil, "slot \(slot) is free already")
    slots[slot].element = nil
    free.append(slot)
  }

  /// The element in a slot.
  subscript(slot: Int) -> Element? {
    get { slots[slot].element }
    set { slots[slot].element = newValue }
  }

  /// The slot for which a tag was given, and the element in it, if that is still there.
  func find(_ tag: UInt64) -> (slot: Int, element: Element)? {
    let slot = Int(tag & 0xFFFF_FFFF)
    guard slot < slots.count, slots[slot].use == UInt32(tag >> 32), let element = slots[slot].element else {
      return nil
    }
    return (slot, element)
  }

  /// The slots that are not free.
  var occupied: [Int] { slots.indices.filter { slots[$0].element != nil } }

  /// Every element.
  var elements: [Element] { slots.compactMap(\.element) }
}
