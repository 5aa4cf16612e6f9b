// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A list's entries in order, and which of them are shown: what is the same whatever the rows are.
final class KeyedListCore {
  /// The one truth about the list; taking back a transaction takes back its order.
  let order: Observable<[ListEntry]>
  /// `nil` for a list that is shown whole.
  let window: Observable<ListWindow>?
  /// By key, as of when it was made; found anew where it may be out of date.
  private var index: [String: ListEntry]?

  init(window: Int?, name: StaticString, file: StaticString, line: UInt) {
    let isSame = CutOff<[ListEntry]> { old, new in old.count == new.count && zip(old, new).allSatisfy(===) }
    order = Observable([], cutOff: isSame, name: name, file: file, line: line)
    self.window = window.map { Observable(ListWindow(first: 0, count: $0), name: name, file: file, line: line) }
  }

  var shown: ArraySlice<ListEntry> { window.map { $0.value.slice(of: order.value) } ?? order.value[...] }

  func entry(_ key: String) -> ListEntry? {
    // Reading the order makes it an input of the formula that asks.
    let entries = order.value
    if let index { return index[key] }
    let index = Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0) })
    self.index = index
    return index[key]
  }

  /// Writes the order.
  ///
  /// - Parameters:
  ///   - gone: the entries that are no longer in it.
  ///   - come: those that were not.
  func set(_ entries: [ListEntry], gone: [ListEntry] = [], come: [ListEntry] = []) {
    whenUndone { [weak self] in self?.index = nil }
    order.value = entries
    for entry in gone { index?[entry.key] = nil }
    for entry in come { index?[entry.key] = entry }
  }

  func receive(_ request: SurfaceRequest, _ path: ArraySlice<String>) throws(SurfaceError) -> PreparedChange {
    if case .assign = request.verb, path.count == 1, let name = path.first {
      if name == "window", let window {
        let value = try request.value(ListWindow.self)
        return PreparedChange { try window.set(value) }
      }
      if ["order", "items", "count"].contains(name) { throw .readOnly(request.name) }
    }
    guard path.first == "items", path.count > 1, let key = path.dropFirst().first else {
      let expected = ["items/KEY/…"] + (window == nil ? [] : ["window"])
      throw .noSuchValue(request.name, model: "a list", expected: expected)
    }
    guard let entry = entry(key) else { throw .noSuchRow(request.name) }
    return try entry.model.receive(request, path.dropFirst(2))
  }
}
