// SPDX-License-Identifier: MIT

/// A timetable of looks at things, to the second. Inserting and taking cost O(1) each, however many things
/// there are.
///
/// It is a wheel with one slot a second. An element that is due after more than one turn of the wheel stays in
/// its slot until then.
struct ExpiryWheel<Element> {
  private var slots: [[(due: Int, element: Element)]]
  /// The last second for which everything due was taken.
  private(set) var position: Int

  /// - Parameters:
  ///   - size: the number of slots, which is the number of seconds in a turn.
  ///   - now: the present second; only differences matter.
  init(size: Int = 2_048, now: Int) {
    slots = Array(repeating: [], count: size)
    position = now
  }

  /// Remembers `element` until second `due`. An element whose second is past comes with the next second.
  mutating func insert(_ element: Element, due: Int) {
    let due = max(due, position + 1)
    slots[due % slots.count].append((due, element))
  }

  /// Takes out all elements that are due by second `now`.
  mutating func advance(to now: Int) -> [Element] {
    guard now > position else { return [] }
    var taken: [Element] = []
    // After a stop of more than a turn, each slot is passed once.
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
