// SPDX-License-Identifier: MIT
import JSONPatching

/// The entries of a list by their keys. It is a set, as a dictionary would have each key a second time, and
/// take three times the memory.
struct EntryIndex {
  private struct Place: Hashable {
    let entry: ListEntry

    static func == (left: Place, right: Place) -> Bool { left.entry.key == right.entry.key }
    func hash(into hasher: inout Hasher) { hasher.combine(entry.key) }
  }

  private var places: Set<Place>

  /// - Parameter entries: entries with different keys.
  init(_ entries: [ListEntry] = []) { places = Set(entries.lazy.map(Place.init)) }

  subscript(key: ExactText) -> ListEntry? {
    places.firstIndex(of: Place(entry: ListEntry(key, isLate: false))).map { places[$0].entry }
  }

  /// Puts an entry in; it replaces an entry with the same key.
  mutating func insert(_ entry: ListEntry) { places.update(with: Place(entry: entry)) }

  mutating func remove(_ entry: ListEntry) { places.remove(Place(entry: entry)) }
}
