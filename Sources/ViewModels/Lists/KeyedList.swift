// SPDX-License-Identifier: MIT
import JSONPatching
public import ObservableCore

/// View models in an order, each under a key: the rows of a list, with their own values and commands (S1-9).
///
/// A row is shown, changed and acted on by its key, never by its index, so a reorder cannot hit the wrong row. Two keys
/// are the same if they have the same bytes. All changes
/// are part of the transaction in which they are made, and go with it if it is undone. Reading the list inside a formula
/// makes it an input. The list keeps its rows alive, and a row does not know of the list.
///
/// With a window a view says which rows it shows, and only those are sent; rows that are made on demand
/// (``update(_:make:)``) are then made when they are first shown or acted on.
public final class KeyedList<Row> {
  let core: KeyedListCore
  private let erase: (Row) -> any ViewModel

  init(
    window: Int?, name: StaticString, file: StaticString, line: UInt, erase: @escaping (Row) -> any ViewModel
  ) {
    core = KeyedListCore(window: window, name: name, file: file, line: line)
    self.erase = erase
  }

  // MARK: Reading

  /// The keys, in order.
  public var keys: [String] { core.entries.map(\.key.text) }
  public var count: Int { core.entries.count }
  public var isEmpty: Bool { core.entries.isEmpty }

  /// The rows, in order; those that were not made are.
  public var rows: [Row] { core.entries.map { typed($0).row } }

  /// The row under `key`.
  public subscript(key: String) -> Row? { core.entry(ExactText(key)).map { typed($0).row } }

  /// Where the row is. O(count).
  public func index(of key: String) -> Int? {
    let key = ExactText(key)
    return core.entries.firstIndex { $0.key == key }
  }

  /// The rows that a view shows; `nil` for a list that is shown whole.
  public var window: Observable<ListWindow>? { core.window }

  // MARK: Changing. O(count), without a look at the rows.

  /// Adds a row at the end. One that has this key goes.
  public func append(_ row: Row, key: String) { insert(row, key) { $0 } }

  /// Inserts a row. One that has this key goes first.
  ///
  /// - Precondition: the index is from 0 to the number of the other rows.
  public func insert(_ row: Row, key: String, at index: Int) { insert(row, key) { _ in index } }

  private func insert(_ row: Row, _ key: String, _ index: (_ count: Int) -> Int) {
    let key = ExactText(key)
    let entry = entry(key) { _ in row }
    let gone = core.entry(key)
    var entries = core.entries
    if let gone { entries.removeAll { $0 === gone } }
    let index = index(entries.count)
    checkIndex(index, entries.count)
    entries.insert(entry, at: index)
    core.set(entries, gone: gone.map { [$0] } ?? [], come: [entry])
  }

  /// Removes a row.
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(_ key: String) -> Bool {
    guard let entry = core.entry(ExactText(key)) else { return false }
    core.set(core.entries.filter { $0 !== entry }, gone: [entry])
    return true
  }

  public func removeAll() { core.set([], gone: core.entries) }

  /// Moves a row to an index, counted without it; one that is not there stays away.
  ///
  /// - Precondition: the index is from 0 to the number of the other rows.
  public func move(_ key: String, to index: Int) {
    guard let entry = core.entry(ExactText(key)) else { return }
    var entries = core.entries.filter { $0 !== entry }
    checkIndex(index, entries.count)
    entries.insert(entry, at: index)
    core.set(entries)
  }

  /// Puts the rows in order; rows that are equal in it keep theirs.
  public func sort(by isBefore: (Row, Row) throws -> Bool) rethrows {
    let entries = core.entries
    let sorted = try entries.indices.sorted { left, right in
      if try isBefore(typed(entries[left]).row, typed(entries[right]).row) { return true }
      if try isBefore(typed(entries[right]).row, typed(entries[left]).row) { return false }
      return left < right
    }
    core.set(sorted.map { entries[$0] })
  }

  /// Makes the list have exactly these keys, in this order; of a key that comes twice the first counts. A row whose key
  /// stays is the same as before.
  ///
  /// - Parameter make: makes the row of a key that is new, when it is first shown, read or acted on. It is kept for as
  ///   long as such a row is not made.
  public func update(_ keys: some Sequence<String>, make: @escaping (String) -> Row) {
    let present = Dictionary(uniqueKeysWithValues: core.entries.map { ($0.key, $0) })
    var seen: Set<ExactText> = []
    var come: [ListEntry] = []
    seen.reserveCapacity(keys.underestimatedCount)
    let entries = keys.map(ExactText.init).filter { seen.insert($0).inserted }.map { key in
      if let entry = present[key] { return entry }
      let entry = entry(key, make)
      come.append(entry)
      return entry
    }
    core.set(entries, gone: present.values.filter { !seen.contains($0.key) }, come: come)
  }

  func entry(_ key: ExactText, _ make: @escaping (String) -> Row) -> RowEntry<Row> {
    RowEntry(key, isLate: core.isLate, erase: erase, make: make)
  }

  private func typed(_ entry: ListEntry) -> RowEntry<Row> {
    guard let entry = entry as? RowEntry<Row> else { fatalError("a list makes all its entries itself") }
    return entry
  }

  private func checkIndex(_ index: Int, _ count: Int) {
    // Not preconditionFailure, which says nothing in a release build.
    if !(0...count).contains(index) { fatalError("no index for a row: expected 0 to \(count), got \(index)") }
  }
}

extension KeyedList where Row: ViewModel {
  /// A list without rows.
  ///
  /// - Parameter window: how many rows a view shows at first, if it does not show all.
  public convenience init(
    window: Int? = nil, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(window: window, name: name, file: file, line: line) { $0 }
  }
}

extension KeyedList where Row == any ViewModel {
  /// A list of view models of any kinds, without rows.
  ///
  /// - Parameter window: how many rows a view shows at first, if it does not show all.
  public convenience init(
    window: Int? = nil, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(window: window, name: name, file: file, line: line) { $0 }
  }
}

extension KeyedList where Row == any Module {
  /// The modules of a page.
  convenience init(name: StaticString = "", file: StaticString = #fileID, line: UInt = #line) {
    self.init(window: nil, name: name, file: file, line: line) { $0 }
  }
}
