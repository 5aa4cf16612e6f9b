// SPDX-License-Identifier: MIT

/// Deadlines by slot number, with the earliest first. Insert, remove and take cost O(log n).
///
/// It is a binary heap that knows the place of each slot. So a deadline leaves with its wait, and not when it
/// is due.
struct DeadlineHeap {
  private struct Entry {
    var deadline: UInt64
    var slot: Int
  }

  private var entries: [Entry] = []
  /// The index in `entries` of each slot; -1 if the slot has no deadline.
  private var positions: [Int] = []

  var count: Int { entries.count }
  /// The earliest deadline, in the unit of the inserted ones.
  var earliest: UInt64? { entries.first?.deadline }

  /// Adds a deadline. The slot must have none.
  mutating func insert(slot: Int, deadline: UInt64) {
    while positions.count <= slot { positions.append(-1) }
    precondition(positions[slot] < 0, "slot \(slot) already has a deadline")
    entries.append(Entry(deadline: deadline, slot: slot))
    positions[slot] = entries.count - 1
    rise(from: entries.count - 1)
  }

  /// Removes a slot's deadline, if it has one.
  mutating func remove(slot: Int) {
    guard slot < positions.count, positions[slot] >= 0 else { return }
    let index = positions[slot]
    positions[slot] = -1
    let last = entries.removeLast()
    guard index < entries.count else { return }
    entries[index] = last
    positions[last.slot] = index
    rise(from: index)
    sink(from: index)
  }

  /// Removes the earliest deadline and returns its slot, if it is not after `now`.
  mutating func takeDue(_ now: UInt64) -> Int? {
    guard let first = entries.first, first.deadline <= now else { return nil }
    remove(slot: first.slot)
    return first.slot
  }

  private mutating func rise(from start: Int) {
    var index = start
    while index > 0 {
      let parent = (index - 1) / 2
      guard entries[index].deadline < entries[parent].deadline else { return }
      exchange(index, parent)
      index = parent
    }
  }

  private mutating func sink(from start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < entries.count && entries[child].deadline < entries[least].deadline {
        least = child
      }
      guard least != index else { return }
      exchange(index, least)
      index = least
    }
  }

  private mutating func exchange(_ first: Int, _ second: Int) {
    entries.swapAt(first, second)
    positions[entries[first].slot] = first
    positions[entries[second].slot] = second
  }
}
