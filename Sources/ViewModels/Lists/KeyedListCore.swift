// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The entries of a list in order, and the shown ones among them, for rows of any type.
final class KeyedListCore {
  /// The entries, and the number of the write that made them. Undoing a transaction restores both.
  struct Order {
    var entries: [ListEntry]
    var generation: Int
    /// The keys of entries that were put in while the view model was made, and that have left.
    var gone: [ExactText] = []
    /// The place of the entries in a longer list that is elsewhere; `nil` if they are the whole list.
    var excerpt: Excerpt?
  }

  /// The place of the first entry in a longer list, and the number of that list's rows. It is stored with the order.
  struct Excerpt: Codable, Equatable, JSONRepresentable {
    let first: Int
    let total: Int
  }

  /// The one truth about the list.
  let order: Observable<Order>
  /// `nil` for a list that is shown whole.
  let window: Observable<ListWindow>?
  /// The number of the last write of the order, even if it was undone.
  var lastGeneration = 0
  /// Whether the list was made with the hosted view model, and not by one of its actions.
  private let wasMadeFirst: Bool
  /// The entries of one generation by key. If the order is of another generation, neither this nor the entries'
  /// positions match it.
  var index: (byKey: EntryIndex, generation: Int)
  /// Closures that are told the entry of each row that is made on demand. The key is the object that is told.
  var madeWatchers: [ObjectIdentifier: (ListEntry) -> Void] = [:]
  /// Gives the row of an entry; `nil` for a row that was not made, if it may not make it.
  private let model: (_ entry: ListEntry, _ makes: Bool) -> (any ViewModel)?

  init(
    window: Int?, name: StaticString, file: StaticString, line: UInt,
    model: @escaping (_ entry: ListEntry, _ makes: Bool) -> (any ViewModel)?
  ) {
    self.model = model
    let isSame = CutOff<Order> { old, new in
      old.excerpt == new.excerpt && Self.isSame(old.entries, new.entries)
    }
    index = (EntryIndex(), 0)
    order = Observable(Order(entries: [], generation: 0), cutOff: isSame, name: name, file: file, line: line)
    wasMadeFirst = order.graph?.awaitsIsolation == true
    self.window = window.map { Observable(ListWindow(first: 0, count: $0), name: name, file: file, line: line) }
  }

  static func isSame(_ old: [ListEntry], _ new: [ListEntry]) -> Bool {
    old.count == new.count && old.indices.allSatisfy { old[$0] === new[$0] }
  }

  var entries: [ListEntry] { order.value.entries }

  /// The number of rows of the whole list.
  var total: Int { order.value.excerpt?.total ?? entries.count }

  /// The window as it is shown; `nil` for a list without one. Until the rows of another window are read, it begins with the
  /// first row that is shown, so that a view knows the places of these.
  var shownWindow: ListWindow? {
    guard let window = window?.value.within(total) else { return nil }
    guard let first = order.value.excerpt?.first, window.first < first, !shown.isEmpty else { return window }
    return ListWindow(first: first, count: window.count)
  }

  /// The rows that are shown. Of an excerpt that was read for another window, those that are in this one as well.
  var shown: ArraySlice<ListEntry> {
    guard let window = window?.value else { return entries[...] }
    let range = window.range(of: total)
    guard let first = order.value.excerpt?.first else { return entries[range] }
    let place = (range.lowerBound - first)..<(range.upperBound - first)
    return entries[place.clamped(to: 0..<entries.count)]
  }

  /// The row of an entry. It is made if it was not.
  func model(of entry: ListEntry) -> any ViewModel {
    guard let model = model(entry, true) else { stopProgram(bug: "a row was not made") }
    return model
  }

  /// The row of an entry, if it was made.
  func madeModel(of entry: ListEntry) -> (any ViewModel)? { model(entry, false) }

  /// Notes that a row was made on demand.
  func rowWasMade(_ entry: ListEntry) { for tell in madeWatchers.values { tell(entry) } }

  /// Whether an entry that comes now was not there from the first: the list was made with the hosted view
  /// model, and the making is over.
  var isLate: Bool { wasMadeFirst && order.graph?.awaitsIsolation == false }

  /// The entry under `key`; its position is right then. O(1), but O(count) at the first call after changes were
  /// undone.
  func entry(_ key: ExactText) -> ListEntry? {
    renewIndex()
    return index.byKey[key]
  }

  /// Brings the index to the generation of the order.
  func renewIndex() {
    // Reading the order makes it an input of the formula that asks.
    let order = order.value
    if index.generation == order.generation { return }
    for (position, entry) in order.entries.enumerated() { entry.position = position }
    setIndex(EntryIndex(order.entries), order.generation)
  }

  private func setIndex(_ byKey: EntryIndex, _ generation: Int) {
    let old = index
    index = (byKey, generation)
    // A row of an undone change may end here and run user code, which must not find the index half changed.
    withExtendedLifetime(old) {}
  }

  /// Lets a restoration put these entries back.
  ///
  /// - Parameters:
  ///   - gone: the keys of entries that the making has made and that have left.
  ///   - excerpt: the place of the entries in a longer list; `nil` if they are the whole list.
  func putBack(_ entries: [ListEntry], gone: [ExactText], as excerpt: Excerpt?, _ restoration: Restoration) {
    lastGeneration += 1
    restoration.put(
      Order(entries: entries, generation: lastGeneration, gone: gone, excerpt: excerpt), into: order)
    setIndex(EntryIndex(), 0)
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
    return try model(of: entry).prepare(change, path.dropFirst(2))
  }
}
