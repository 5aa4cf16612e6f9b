// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The changes of a list. Each is one write of the order. A transaction copies the order at its first write,
/// O(count) (Decisions/0057).
///
/// The end of an entry may run user code, which must not find the order half changed. So a removed entry is
/// kept alive until the order is written.
extension KeyedListCore {
  /// Puts an entry in, moves it, and lets go of an entry that has its key. O(the rows behind it).
  ///
  /// - Parameter position: its position afterwards; `nil` for the end.
  func insert(_ entry: ListEntry, at position: Int? = nil) {
    let gone = self.entry(entry.key)
    let others = order.value.entries.count - (gone == nil ? 0 : 1)
    let position = position ?? others
    Self.check(position, others)
    index.byKey.insert(entry)
    change(without: gone.map { [$0] } ?? []) { entries in
      let place = gone?.position ?? entries.count
      if gone == nil { entries.append(entry) } else { entries[place] = entry }
      Self.shift(&entries, from: place, to: position)
    }
    withExtendedLifetime(gone) {}
  }

  /// Takes an entry out. O(the rows behind it).
  ///
  /// - Returns: whether there was one.
  func remove(_ key: ExactText) -> Bool {
    guard let entry = entry(key) else { return false }
    index.byKey.remove(entry)
    change(without: [entry]) { entries in
      Self.shift(&entries, from: entry.position, to: entries.count - 1)
      entries.removeLast()
    }
    withExtendedLifetime(entry) {}
    return true
  }

  /// Moves an entry, if there is one. O(the distance).
  ///
  /// - Parameter position: its position afterwards.
  func move(_ key: ExactText, to position: Int) {
    guard let entry = entry(key) else { return }
    Self.check(position, order.value.entries.count - 1)
    let place = entry.position
    if place != position { change { Self.shift(&$0, from: place, to: position) } }
  }

  /// Puts these entries first, in this order. Of an entry that comes twice the first one counts, and one that
  /// is not in the list is passed over. O(count).
  func reorder(_ first: [ListEntry]) {
    renewIndex()
    let old = entries
    var isFirst = Array(repeating: false, count: old.count)
    var new: [ListEntry] = []
    new.reserveCapacity(old.count)
    for entry in first {
      let place = entry.position
      guard place < old.count, old[place] === entry, !isFirst[place] else { continue }
      isFirst[place] = true
      new.append(entry)
    }
    for (place, entry) in old.enumerated() where !isFirst[place] { new.append(entry) }
    replaceAll(by: new, byKey: index.byKey)
  }

  /// Makes the list have exactly these entries. O(count).
  ///
  /// - Parameter excerpt: their place in a longer list; `nil` if they are the whole list.
  func replaceAll(by entries: [ListEntry], as excerpt: Excerpt? = nil) {
    let byKey = EntryIndex(entries)
    replaceAll(
      by: entries, byKey: byKey, without: isLate ? self.entries.filter { !$0.isLate && byKey[$0.key] !== $0 } : [],
      as: excerpt)
  }

  private func replaceAll(
    by new: [ListEntry], byKey: EntryIndex, without gone: [ListEntry] = [], as excerpt: Excerpt? = nil
  ) {
    let old = (entries: entries, index: index)
    if Self.isSame(old.entries, new), order.value.excerpt == excerpt { return }
    for (position, entry) in new.enumerated() { entry.position = position }
    index.byKey = byKey
    change(without: gone, as: excerpt) { $0 = new }
    withExtendedLifetime(old) {}
  }

  /// Changes the order in place, and the generation of the index with it. The index has to be of the present
  /// generation.
  ///
  /// - Parameters:
  ///   - gone: the entries that leave.
  ///   - excerpt: the place of the entries in a longer list. After any other change they are the whole list.
  private func change(
    without gone: [ListEntry] = [], as excerpt: Excerpt? = nil, _ body: (inout [ListEntry]) -> Void
  ) {
    let first = isLate ? gone.filter { !$0.isLate }.map(\.key) : []
    lastGeneration += 1
    let generation = lastGeneration
    // This comes first: an observer that is told of the change may look for a row.
    index.generation = generation
    do {
      try order.change { order in
        body(&order.entries)
        order.generation = generation
        order.gone += first
        order.excerpt = excerpt
      }
    } catch {
      if handOn(error, of: "a change of \(order.origin)") { return }
      stopProgram(
        "\(order.origin): '\(error)' reached a change of a list, which cannot throw",
        expected: "no error outside of a transaction", remedy: "change it inside 'try transaction { }'")
    }
  }

  /// Moves an entry, and updates the positions of those between.
  private static func shift(_ entries: inout [ListEntry], from start: Int, to end: Int) {
    var place = start
    while place != end {
      let next = place < end ? place + 1 : place - 1
      entries.swapAt(place, next)
      entries[place].position = place
      place = next
    }
    entries[end].position = end
  }

  private static func check(_ position: Int, _ most: Int) {
    if !(0...most).contains(position) {
      stopProgram(
        "a row was to have the index \(position)", expected: "0 to \(most)",
        remedy: "take an index from 'keys', or none for the end")
    }
  }
}
