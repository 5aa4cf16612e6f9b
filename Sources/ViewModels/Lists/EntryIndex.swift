// SPDX-License-Identifier: MIT
import JSONPatching

/// The entries of a list by their keys. A set, as a dictionary would have each key a second time, and takes three times
/// the memory.
struct EntryIndex {
  private struct Place: Hashable {
    let entry: ListEntry

    static func == (left: Place, right: Place) -> Bool { left.entry.key == right.entry.key }
    func hash(into hasher: inout Hasher) { hasher.combine(entry.key) }
  }

  private var places: Set<Place>

  /// - Parameter entries: no two have the same key.
  init(_ entries: [ListEntry] = []) { places = Set(entries.lazy.map(Place.init)) }

  subscript(key: ExactText) -> ListEntry? {
    places.firstIndex(of: Place(entry: ListEntry(key, isLate: false))).map { places[$0].entry }
  }

  /// Puts an entry in, in place of the one that has its key.
  mutating func insert(_ entry: ListEntry) { places.update(with: Place(entry: entry)) }

  mutating func remove(_ entry: ListEntry) { places.remove(Place(entry: entry)) }
}
