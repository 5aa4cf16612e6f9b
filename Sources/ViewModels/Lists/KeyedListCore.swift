// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The entries of a list in order, and the shown ones among them, whatever the type of the rows.
final class KeyedListCore {
  /// The entries, and the number of the write that made them: taking back a transaction takes back both.
  struct Order {
    let entries: [ListEntry]
    let generation: Int
  }

  /// The one truth about the list.
  let order: Observable<Order>
  /// `nil` for a list that is shown whole.
  let window: Observable<ListWindow>?
  private var lastGeneration = 0
  /// Whether the list was made with the hosted view model, and not by one of its actions.
  private let wasMadeFirst: Bool
  /// The entries of one generation by key; of another it knows nothing.
  private var index: (byKey: [ExactText: ListEntry], generation: Int)

  init(window: Int?, name: StaticString, file: StaticString, line: UInt) {
    let isSame = CutOff<Order> { old, new in
      old.entries.count == new.entries.count && zip(old.entries, new.entries).allSatisfy(===)
    }
    index = ([:], 0)
    order = Observable(Order(entries: [], generation: 0), cutOff: isSame, name: name, file: file, line: line)
    wasMadeFirst = order.graph?.awaitsIsolation == true
    self.window = window.map { Observable(ListWindow(first: 0, count: $0), name: name, file: file, line: line) }
  }

  var entries: [ListEntry] { order.value.entries }

  var shown: ArraySlice<ListEntry> { window.map { $0.value.slice(of: entries) } ?? entries[...] }

  /// Whether what comes now is not there from the first: the list was made with the hosted view model, and that was made.
  var isLate: Bool { wasMadeFirst && order.graph?.awaitsIsolation == false }

  func entry(_ key: ExactText) -> ListEntry? {
    // Reading the order makes it an input of the formula that asks.
    let order = order.value
    if index.generation != order.generation {
      index = (Dictionary(uniqueKeysWithValues: order.entries.map { ($0.key, $0) }), order.generation)
    }
    return index.byKey[key]
  }

  /// Writes the order.
  ///
  /// - Parameters:
  ///   - gone: the entries that are no longer in it.
  ///   - come: those that were not.
  func set(_ entries: [ListEntry], gone: [ListEntry] = [], come: [ListEntry] = []) {
    let isIndexed = index.generation == order.value.generation
    lastGeneration += 1
    order.value = Order(entries: entries, generation: lastGeneration)
    // An index of another order, which was undone, would keep its rows.
    if !isIndexed { index = ([:], 0) }
    // A write that was no change has left the old order.
    guard isIndexed, order.value.generation == lastGeneration else { return }
    for entry in gone { index.byKey[entry.key] = nil }
    index.byKey.reserveCapacity(entries.count)
    for entry in come { index.byKey[entry.key] = entry }
    index.generation = lastGeneration
  }

  /// Has these entries put back.
  func putBack(_ entries: [ListEntry], _ restoration: Restoration) {
    lastGeneration += 1
    restoration.put(Order(entries: entries, generation: lastGeneration), into: order)
    index = ([:], 0)
  }

  func prepare(_ change: Change, _ path: ArraySlice<String>) throws(SurfaceError) -> PreparedChange {
    if case .set = change.verb, path.count == 1, let name = path.first {
      if name == "window", let window {
        let value = try change.value(ListWindow.self)
        return PreparedChange { try window.set(value) }
      }
      if ["order", "items", "count"].contains(name) { throw .readOnly(change.name) }
    }
    guard path.first == "items", path.count > 1, let key = path.dropFirst().first else {
      let expected = ["items/KEY/…"] + (window == nil ? [] : ["window"])
      throw .noSuchValue(change.name, model: "a list", expected: expected)
    }
    guard let entry = entry(ExactText(key)) else { throw .noSuchRow(change.name) }
    return try entry.model.prepare(change, path.dropFirst(2))
  }
}
