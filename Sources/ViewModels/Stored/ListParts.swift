// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A list that is stored in parts, and the stored parts of it: its order, the keys that have left, its place in a
/// longer list, and its rows.
///
/// To store it costs as much as the rows that have begun to change. It goes through all rows only where the
/// order has changed. It looks each time at a row that may change without telling it.
final class ListParts {
  let core: KeyedListCore
  private let pointer: [UInt8]
  /// The generation of the order of `rows`, and whether new rows were late, both as of the last update.
  private var known: (generation: Int, isLate: Bool)?
  private var rows: [StoredRow] = []
  /// The rows that have begun to change, or that have come.
  private var begun: [StoredRow] = []
  private var untold: [StoredRow] = []
  /// The rows that were not made, by their entries. The list tells when it makes one.
  private var unmade: [ObjectIdentifier: StoredRow] = [:]
  private var order: [UInt8]?
  private var gone: [UInt8]?
  private var excerpt: [UInt8]?
  /// The number of stored rows, and the bytes of their JSON.
  private var rowCount = 0
  private var rowBytes = 0

  init(_ core: KeyedListCore, at pointer: [UInt8]) {
    self.core = core
    self.pointer = pointer
    core.madeWatchers[ObjectIdentifier(self)] = { [unowned self] entry in
      if let row = unmade.removeValue(forKey: ObjectIdentifier(entry)) { begun.append(row) }
    }
  }

  /// The number of its parts.
  var count: Int { rowCount + [order, gone, excerpt].count { $0 != nil } }

  /// The bytes of the JSON of its parts.
  var textBytes: Int { rowBytes + [order, gone, excerpt].reduce(0) { $0 + ($1?.count ?? 0) } }

  /// The estimated bytes of memory that it takes: each row has its object and its watches.
  var bytes: Int { rows.count * 256 + textBytes }

  /// All its parts, by their names.
  var stored: [[UInt8]: [UInt8]] {
    var stored: [[UInt8]: [UInt8]] = [:]
    for row in rows { stored[name(of: row)] = row.text }
    stored[orderName] = order
    stored[goneName] = gone
    stored[excerptName] = excerpt
    return stored
  }

  private var orderName: [UInt8] { pointer + "/order".utf8 }
  private var goneName: [UInt8] { pointer + "/gone".utf8 }
  private var excerptName: [UInt8] { pointer + "/excerpt".utf8 }
  private func name(of row: StoredRow) -> [UInt8] { pointer + "/items".utf8 + PartsKeeper.segment(row.entry.key.text) }

  /// Notes that a row has begun to change.
  func rowDidBegin(_ row: StoredRow) { begun.append(row) }

  /// Ends all watches.
  func end() {
    core.madeWatchers[ObjectIdentifier(self)] = nil
    for row in rows { row.end() }
  }

  /// Adds its changes since the last update.
  ///
  /// - Parameter takeOther: takes the JSON that is stored under the name of a part that another list, or an
  ///   earlier process, stored.
  func update(_ storing: ListStoring, _ change: inout PartsChange, takeOther: ([UInt8]) -> [UInt8]?) {
    let now = (core.order.value.generation, core.isLate)
    if known.map({ $0 != now }) ?? true { takeOrder(storing, isFirst: known == nil, &change, takeOther) }
    known = now
    for row in untold { take(row, storing, &change) }
    // A row that begins to change from here on is written with the next change.
    let due = begun
    begun = []
    for row in due where !row.isOver {
      row.takeBegun()
      guard let model = core.madeModel(of: row.entry) else {
        unmade[ObjectIdentifier(row.entry)] = row
        set(nil, row, &change)
        continue
      }
      if !row.isWatching, !row.watch(model.storedSources) { untold.append(row) }
      take(row, storing, &change)
    }
  }

  private func takeOrder(
    _ storing: ListStoring, isFirst: Bool, _ change: inout PartsChange, _ takeOther: ([UInt8]) -> [UInt8]?
  ) {
    if isFirst { (order, gone, excerpt) = (takeOther(orderName), takeOther(goneName), takeOther(excerptName)) }
    takeRows(core.entries, isFirst: isFirst, &change, takeOther)
    let hasOrder = storing.hasOrder
    let now = hasOrder ? Self.json { core.writeStoredOrder(canRemake: storing.canRemake, to: &$0) } : nil
    Self.set(&order, to: now, orderName, &change)
    Self.set(
      &gone, to: hasOrder ? core.goneForGood.map { gone in Self.json { $0.strings(gone) } } : nil, goneName, &change)
    let place = hasOrder ? core.order.value.excerpt : nil
    Self.set(&excerpt, to: place.map { place in Self.json { place.write(to: &$0) } }, excerptName, &change)
  }

  private static func set(_ part: inout [UInt8]?, to text: [UInt8]?, _ name: [UInt8], _ change: inout PartsChange) {
    if text != part { change.set(name, to: text) }
    part = text
  }

  private static func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(capacity: 64)
    write(&writer)
    return writer.bytes
  }

  /// Replaces its rows by rows for these entries. Those before and behind the change of the order stay as they
  /// are.
  private func takeRows(
    _ entries: [ListEntry], isFirst: Bool, _ change: inout PartsChange, _ takeOther: ([UInt8]) -> [UInt8]?
  ) {
    let common = min(rows.count, entries.count)
    let start = (0..<common).first { rows[$0].entry !== entries[$0] } ?? common
    let after =
      (0..<common - start).first {
        rows[rows.count - 1 - $0].entry !== entries[entries.count - 1 - $0]
      } ?? common - start
    var old = Dictionary(uniqueKeysWithValues: rows[start..<rows.count - after].map { ($0.entry.key, $0) })
    let new = entries[start..<entries.count - after].map { entry in
      let before = old.removeValue(forKey: entry.key)
      if let before, before.entry === entry { return before }
      if let before { end(before) }
      let row = StoredRow(entry, of: self)
      row.text = before?.text
      if isFirst, let text = takeOther(name(of: row)) {
        row.text = text
        rowCount += 1
        rowBytes += text.count
      }
      begun.append(row)
      return row
    }
    for row in old.values {
      end(row)
      set(nil, row, &change)
    }
    rows.replaceSubrange(start..<rows.count - after, with: new)
    untold.removeAll(where: \.isOver)
  }

  private func end(_ row: StoredRow) {
    row.end()
    unmade[ObjectIdentifier(row.entry)] = nil
  }

  /// Adds the change of a row.
  private func take(_ row: StoredRow, _ storing: ListStoring, _ change: inout PartsChange) {
    guard let model = core.madeModel(of: row.entry) else { return set(nil, row, &change) }
    let text = Self.json { model.writeStored(nil, showsKind: storing.hasKinds, to: &$0) }
    set(text == Self.nothing ? nil : text, row, &change)
  }

  private static let nothing = Array("{}".utf8)

  private func set(_ text: [UInt8]?, _ row: StoredRow, _ change: inout PartsChange) {
    if text == row.text { return }
    rowCount += (text == nil ? 0 : 1) - (row.text == nil ? 0 : 1)
    rowBytes += (text?.count ?? 0) - (row.text?.count ?? 0)
    row.text = text
    change.set(name(of: row), to: text)
  }
}

extension PartsChange {
  fileprivate mutating func set(_ name: [UInt8], to json: [UInt8]?) {
    put[name] = json
    if json == nil { removed.insert(name) } else { removed.remove(name) }
  }
}

extension KeyedListCore {
  /// The keys of rows that the making makes and that have left. A row of the making that is neither among these
  /// nor in the order is one that a later program has added. `nil` where it is not known which rows the making
  /// makes.
  var goneForGood: [ExactText]? {
    guard isLate else { return nil }
    // Sorted, so that the stored text is always the same.
    return order.value.gone.filter { entry($0) == nil }.sorted { $0.text < $1.text }
  }
}
