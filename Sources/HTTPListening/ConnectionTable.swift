// SPDX-License-Identifier: MIT

/// Connections of one loop, by slot. A tag names a slot and how often it has been used, so that an event that comes
/// after its connection has left finds nothing.
struct ConnectionTable {
  private struct Slot {
    var connection: Connection?
    /// Counts the uses of the slot, from 1: a tag is never less than 2³².
    var use: UInt32 = 0
  }

  private var slots: [Slot] = []
  private var free: [Int] = []

  var count: Int { slots.count - free.count }

  /// Puts a connection into a free slot.
  mutating func insert(_ connection: Connection) -> (slot: Int, tag: UInt64) {
    let slot: Int
    if let reused = free.popLast() {
      slot = reused
    } else {
      slot = slots.count
      slots.append(Slot())
    }
    slots[slot].connection = connection
    slots[slot].use = slots[slot].use == .max ? 1 : slots[slot].use + 1
    return (slot, UInt64(slots[slot].use) << 32 | UInt64(slot))
  }

  /// Frees the slot.
  mutating func remove(_ slot: Int) {
    precondition(slots[slot].connection != nil, "slot \(slot) is free already")
    slots[slot].connection = nil
    free.append(slot)
  }

  /// The connection in a slot.
  func connection(at slot: Int) -> Connection? { slots[slot].connection }

  /// The connection a tag was given for, if it is still there.
  func connection(tagged tag: UInt64) -> Connection? {
    let slot = Int(tag & 0xFFFF_FFFF)
    guard slot < slots.count, slots[slot].use == UInt32(tag >> 32) else { return nil }
    return slots[slot].connection
  }

  /// Every connection.
  var connections: [Connection] { slots.compactMap(\.connection) }
}
