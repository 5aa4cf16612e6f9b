// SPDX-License-Identifier: MIT

/// The times at which things have to be looked at, to the second: inserting and taking cost O(1) each, however many there are.
///
/// A wheel of slots, one a second; what is due later than one turn of the wheel stays in its slot for another turn.
struct ExpiryWheel<Element> {
  private var slots: [[(due: Int, element: Element)]]
  /// Everything due up to here, this second included, was taken.
  private(set) var position: Int

  /// - Parameters:
  ///   - size: slots, and so seconds in a turn.
  ///   - now: the present second; only differences matter.
  init(size: Int = 2_048, now: Int) {
    slots = Array(repeating: [], count: size)
    position = now
  }

  /// Remembers `element` until second `due`; one that is past comes with the next second.
  mutating func insert(_ element: Element, due: Int) {
    let due = max(due, position + 1)
    slots[due % slots.count].append((due, element))
  }

  /// Takes out all that is due by second `now`.
  mutating func advance(to now: Int) -> [Element] {
    guard now > position else { return [] }
    var taken: [Element] = []
    // A stop of more than a turn passes each slot once.
    for second in max(position + 1, now - slots.count + 1)...now {
      let slot = second % slots.count
      guard !slots[slot].isEmpty else { continue }
      taken += slots[slot].filter { $0.due <= now }.map(\.element)
      slots[slot].removeAll { $0.due <= now }
    }
    position = now
    return taken
  }
}
