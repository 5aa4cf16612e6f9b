// SPDX-License-Identifier: MIT
import JSONPatching
public import ObservableCore

/// View models in an order, each under a key: the rows of a list, with their own values and commands (S1-9).
///
/// A view model or a client names a row by its key, never by its index, so a reorder cannot hit the wrong row.
/// Two keys are the same if they have the same bytes. All changes are part of the transaction in which they are
/// made, and go with it if it is undone. A formula that reads the list has it as an input. The list keeps its
/// rows alive, and a row does not know of the list.
///
/// A transaction that changes the list, as an action does, costs O(count) once: it keeps the old order, with
/// which a view is compared. The cost of each change stands at its method. A change outside of every
/// transaction is a transaction by itself; an error of an observer is then treated as that of an assignment
/// (`Observable.value`).
///
/// With a window a view says which rows it shows, and only those are sent. Rows that are made on demand
/// (``update(_:make:)``) are then made when they are first shown or acted on.
public final class KeyedList<Row> {
  let core: KeyedListCore
  private let endsCommands: Bool

  /// - Parameter endsCommands: whether rows may have commands, which end when they leave.
  init(
    window: Int?, name: StaticString, file: StaticString, line: UInt, endsCommands: Bool = true,
    erase: @escaping (Row) -> any ViewModel
  ) {
    self.endsCommands = endsCommands
    core = KeyedListCore(window: window, name: name, file: file, line: line) { entry, makes in
      let entry = Self.typed(entry)
      return makes ? erase(entry.row) : entry.made.map(erase)
    }
  }

  // MARK: Reading

  /// The keys, in order.
  public var keys: [String] { core.entries.map(\.key.text) }
  public var count: Int { core.entries.count }
  public var isEmpty: Bool { core.entries.isEmpty }

  /// The rows, in order. It makes those that are not made yet.
  public var rows: [Row] { core.entries.map { Self.typed($0).row } }

  /// The row under `key`. O(1), but O(count) at the first look after changes were undone.
  public subscript(key: String) -> Row? { core.entry(ExactText(key)).map { Self.typed($0).row } }

  /// The index of a row. O(1), but O(count) at the first look after changes were undone.
  public func index(of key: String) -> Int? { core.entry(ExactText(key))?.position }

  /// The window of rows that a view shows; `nil` for a list that is shown whole.
  public var window: Observable<ListWindow>? { core.window }

  // MARK: Changing

  /// Adds a row at the end. O(1).
  ///
  /// If the list has a row with this key, that row stays, this one is not added, and the transaction fails with
  /// ``DuplicateKey``. Outside of every transaction a session's log has the error; elsewhere it ends the process.
  public func append(_ row: Row, key: String) {
    if core.expectNew(ExactText(key)) { put(row, key: key) }
  }

  /// Inserts a row, under a key as in ``append(_:key:)``. O(the rows behind it).
  ///
  /// - Precondition: the index is from 0 to the number of the other rows.
  public func insert(_ row: Row, key: String, at index: Int) {
    if core.expectNew(ExactText(key)) { put(row, key: key, at: index) }
  }

  /// Removes a row. O(the rows behind it).
  ///
  /// - Returns: whether there was one.
  @discardableResult
  public func remove(_ key: String) -> Bool { core.remove(ExactText(key)) }

  /// Removes all rows. O(count).
  public func removeAll() { core.replaceAll(by: []) }

  /// Moves a row to an index, counted without the row; a key without a row changes nothing. O(the distance):
  /// for a new order of many rows there is ``reorder(_:)``.
  ///
  /// - Precondition: the index is from 0 to the number of the other rows.
  public func move(_ key: String, to index: Int) { core.move(ExactText(key), to: index) }

  /// Puts the rows with these keys first, in this order; the others follow in the order that they have. A key
  /// without a row is passed over. Of a key that comes twice the first one counts. O(count).
  public func reorder(_ keys: some Sequence<String>) {
    core.reorder(keys.map(ExactText.init).compactMap { core.entry($0) })
  }

  /// Sorts the rows; rows that are equal keep their order. It makes all rows. O(count · log count).
  public func sort(by isBefore: (Row, Row) throws -> Bool) rethrows {
    let entries = core.entries
    let sorted = try entries.indices.sorted { left, right in
      if try isBefore(Self.typed(entries[left]).row, Self.typed(entries[right]).row) { return true }
      if try isBefore(Self.typed(entries[right]).row, Self.typed(entries[left]).row) { return false }
      return left < right
    }
    core.reorder(sorted.map { entries[$0] })
  }

  /// Makes the list have exactly these keys, in this order. Of a key that comes twice the first one counts. A
  /// row whose key stays is the same as before. O(count).
  ///
  /// - Parameter make: makes the row of a new key when it is first shown, read or acted on. The list keeps it
  ///   for as long as a row is not made.
  public func update(_ keys: some Sequence<String>, make: @escaping (String) -> Row) {
    var seen: Set<ExactText> = []
    seen.reserveCapacity(keys.underestimatedCount)
    let keys = keys.map(ExactText.init).filter { seen.insert($0).inserted }
    let making = RowMaking(for: core, make)
    core.replaceAll(by: keys.map { core.entry($0) ?? entry($0, making) })
  }

  /// Shows rows that the app has elsewhere, as all rows of a short table. O(count).
  ///
  /// ```swift
  /// rooms.show(try await hotel.rooms(), key: \.name) { RoomRow($0) } update: { $0.room = $1 }
  /// ```
  ///
  /// A row whose key stays is the same as before, and is brought up to date. A table that may grow long has a list with a
  /// window: ``show(_:from:of:key:make:update:)``.
  ///
  /// - Parameters:
  ///   - values: the values of the rows, in order.
  ///   - key: gives the key of a value. Of a key that comes twice the first one counts.
  ///   - make: makes the row of a value whose key is new.
  ///   - update: gives a row its value anew. A value that is the same costs nothing where it is observed.
  public func show<Value>(
    _ values: [Value], key: (Value) -> String, make: (Value) -> Row, update: (Row, Value) -> Void
  ) {
    core.replaceAll(by: entries(values, key, make, update))
  }

  /// Shows a stretch of a longer list that the app has elsewhere, as of a table: the rows that it has read for the ``window``.
  /// O(the stretch).
  ///
  /// ```swift
  /// let found = try await desk.tickets(matching: words, in: window)
  /// tickets.show(found.tickets, from: found.first, of: found.count, key: \.id) { Row($0) } update: { $0.ticket = $1 }
  /// ```
  ///
  /// A row whose key stays is the same as before, and is brought up to date. Until the rows of another window are read, the
  /// view is shown those that are in both.
  ///
  /// - Parameters:
  ///   - values: the values of the rows, in order.
  ///   - first: the index of the first of them in the longer list.
  ///   - total: the number of rows of the longer list. Where it was read before the rows, it may be too small; then these
  ///     rows count.
  ///   - key: gives the key of a value. Of a key that comes twice the first one counts.
  ///   - make: makes the row of a value whose key is new.
  ///   - update: gives a row its value anew. A value that is the same costs nothing where it is observed.
  /// - Precondition: the list has a window.
  public func show<Value>(
    _ values: [Value], from first: Int, of total: Int, key: (Value) -> String, make: (Value) -> Row,
    update: (Row, Value) -> Void
  ) {
    if window == nil {
      stopProgram(
        "a stretch of a longer list was to be shown in a list without a window", expected: "a list with one",
        remedy: "make it with 'KeyedList(window: 50)'")
    }
    let first = max(0, first)
    let entries = entries(values, key, make, update)
    core.replaceAll(by: entries, as: .init(first: first, total: max(total, first + entries.count)))
  }

  private func entries<Value>(
    _ values: [Value], _ key: (Value) -> String, _ make: (Value) -> Row, _ update: (Row, Value) -> Void
  ) -> [ListEntry] {
    var seen: Set<ExactText> = []
    return values.compactMap { value in
      let key = ExactText(key(value))
      guard seen.insert(key).inserted else { return nil }
      guard let present = core.entry(key) else { return entry(key, make(value)) }
      update(Self.typed(present).row, value)
      return present
    }
  }

  /// - Parameter isLate: whether the row came after the list's view model was made; by default whether that is
  ///   over now.
  func entry(_ key: ExactText, _ row: Row, isLate: Bool? = nil) -> ListEntry {
    RowEntry<Row>(key, isLate: isLate ?? core.isLate, endsCommands: endsCommands, row)
  }

  func entry(_ key: ExactText, _ making: RowMaking<Row>, isLate: Bool? = nil) -> ListEntry {
    RowEntry<Row>(key, isLate: isLate ?? core.isLate, endsCommands: endsCommands, making)
  }

  private static func typed(_ entry: ListEntry) -> RowEntry<Row> {
    guard let entry = entry as? RowEntry<Row> else { stopProgram(bug: "a list has an entry of another") }
    return entry
  }
}

extension KeyedList where Row: ViewModel {
  /// A list without rows.
  ///
  /// - Parameter window: the number of rows that a view shows at first, from 1 to 500 (``ListWindow/longest``); any
  ///   other number ends the program. The entry of the surface then says `hasWindow: true`. With `nil` a view shows all
  ///   rows.
  public convenience init(
    window: Int? = nil, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      window: window, name: name, file: file, line: line, endsCommands: Row.surface.hasCommands
    ) { $0 }
  }
}

extension KeyedList where Row == any ViewModel {
  /// A list of view models of any kinds, without rows.
  ///
  /// - Parameter window: the number of rows that a view shows at first, from 1 to 500 (``ListWindow/longest``); any
  ///   other number ends the program. The entry of the surface then says `hasWindow: true`. With `nil` a view shows all
  ///   rows.
  public convenience init(
    window: Int? = nil, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(window: window, name: name, file: file, line: line) { $0 }
  }
}
