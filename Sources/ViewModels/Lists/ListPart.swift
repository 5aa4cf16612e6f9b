// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The state of a list: `{"order":[…],"items":{…}}`, with `"count"` and `"window"` first if it has a window.
///
/// It watches the shown rows alone. A change in a row costs what that row costs, however many rows there are.
/// The rows are kept in the order of their last change, and a patch reads those after the reader's revision.
final class ListPart: StatePart {
  private let source: KeyedListCore
  private let showsKinds: Bool
  private var subscriptions: [Subscription] = []

  /// The shown rows, in order, as of the last stamp.
  private(set) var rows: [RowPart] = []
  /// The generation of the list at the last stamp.
  private var generation = 0
  private var rowsByChange = RowsByChange()
  private var removedRows = RemovedRows()
  private(set) var history = OrderHistory()
  private var orderChangedAt: UInt64 = 0

  private var count = 0
  private var countChangedAt: UInt64 = 0
  private var window: ListWindow?
  private var windowChangedAt: UInt64 = 0

  /// The bytes of all keys in `order`, and those of all rows in `items`, each with a comma.
  private var orderSum = 0
  private var itemsSum = 0
  /// The bytes of `count` and `window` with their names and commas.
  private var windowLength = 0
  /// The states of rows that the next stamp will show; they were made to be measured.
  private var coming: [ObjectIdentifier: RowPart] = [:]

  private var hasOrderBegun = false
  private var begunRows: [RowPart] = []

  init(_ source: KeyedListCore, showsKinds: Bool) {
    self.source = source
    self.showsKinds = showsKinds
    super.init()
    subscriptions.append(source.order.watch(self, tag: 0))
    if let window = source.window { subscriptions.append(window.watch(self, tag: 0)) }
    _ = stampOrder(0)
  }

  // MARK: Changing

  override func nodeDidChange(_ tag: Int) {
    hasOrderBegun = true
    begin()
  }

  override func partDidBegin(_ part: StatePart) {
    guard let row = part as? RowPart else { stopProgram(bug: "a list has a part that is no row") }
    begunRows.append(row)
    begin()
  }

  override func stamp(_ revision: UInt64) -> Bool {
    guard takeBegun() else { return false }
    var isVisible = false
    if hasOrderBegun {
      hasOrderBegun = false
      isVisible = stampOrder(revision)
      forgetComing()
    }
    let begun = begunRows
    begunRows.removeAll(keepingCapacity: begun.count < 64)
    for row in begun where row.parent != nil {
      let (length, isNoted) = (row.length, row.changedAt == revision)
      let isOther = row.stamp(revision)
      itemsSum += row.length - length
      guard isOther else { continue }
      if !isNoted { rowsByChange.note(row, of: itemsSum) }
      isVisible = true
    }
    return isVisible
  }

  /// Takes over the shown rows and their order.
  private func stampOrder(_ revision: UInt64) -> Bool {
    var isVisible = false
    let total = source.total
    let window = source.shownWindow
    if window != nil, count != total { (count, countChangedAt, isVisible) = (total, revision, true) }
    if self.window != window { (self.window, windowChangedAt, isVisible) = (window, revision, true) }
    if isVisible { windowLength = Self.length(of: window, count: total) }

    // Read once: making a row may change the list, and that change belongs to the next stamp.
    generation = source.order.value.generation
    let shown = source.shown
    let (stretch, entries) = difference(to: shown)
    if stretch.isEmpty, entries.isEmpty { return isVisible }

    let old = Array(rows[stretch])
    let stay = Set(entries.map(ObjectIdentifier.init))
    var staying: [ObjectIdentifier: RowPart] = [:]
    for row in old {
      let entry = ObjectIdentifier(row.entry)
      if stay.contains(entry) { staying[entry] = row } else { remove(row, revision) }
    }
    if staying.count < old.count { rowsByChange.forgetRemoved() }
    let new = entries.map { staying[ObjectIdentifier($0)] ?? insert($0, revision) }
    let oldKeys = old.map(\.entry.key)
    // Another row under the same key does not change the order.
    if oldKeys != entries.map(\.key) {
      history.remember(
        oldKeys, prefix: stretch.lowerBound, suffix: rows.count - stretch.upperBound, revision: revision,
        count: shown.count)
      orderChangedAt = revision
    }
    rows.replaceSubrange(stretch, with: new)
    return true
  }

  /// The rows that are no longer shown in their places, and the entries that replace them. Both lie between the
  /// rows that stay at the beginning and at the end.
  private func difference(to shown: ArraySlice<ListEntry>) -> (stretch: Range<Int>, entries: ArraySlice<ListEntry>) {
    let most = min(rows.count, shown.count)
    var prefix = 0
    while prefix < most, rows[prefix].entry === shown[shown.startIndex + prefix] { prefix += 1 }
    var suffix = 0
    while suffix < most - prefix, rows[rows.count - 1 - suffix].entry === shown[shown.endIndex - 1 - suffix] {
      suffix += 1
    }
    return (prefix..<(rows.count - suffix), shown.dropFirst(prefix).dropLast(suffix))
  }

  private func insert(_ entry: ListEntry, _ revision: UInt64) -> RowPart {
    let row = coming.removeValue(forKey: ObjectIdentifier(entry)) ?? part(of: entry)
    row.come(to: self, at: revision)
    orderSum += entry.length + 1
    itemsSum += bytes(entry, row.length)
    // No reader asks for the rows that were there from the first.
    if revision > 0 { rowsByChange.note(row, of: itemsSum) }
    return row
  }

  private func remove(_ row: RowPart, _ revision: UInt64) {
    row.detach()
    orderSum -= row.entry.length + 1
    itemsSum -= bytes(row.entry, row.length)
    removedRows.remember(row, revision: revision)
  }

  private func part(of entry: ListEntry) -> RowPart {
    source.model(of: entry).part(of: entry, showsKind: showsKinds)
  }

  /// The row that is shown under a key, as of the last stamp. O(1), but O(rows) while the list has changed
  /// since the stamp.
  private func row(_ key: ExactText) -> RowPart? {
    if generation != source.order.value.generation || window != source.shownWindow {
      return rows.first { $0.entry.key == key }
    }
    guard let entry = source.entry(key) else { return nil }
    // The entries may be an excerpt, of which the window shows a part.
    let place = entry.position - source.shown.startIndex
    return rows.indices.contains(place) && rows[place].entry === entry ? rows[place] : nil
  }

  override func detach() {
    super.detach()
    for subscription in subscriptions { subscription.dispose() }
    // Each holds its watcher, which is this part.
    subscriptions = []
    for row in rows { row.detach() }
    forgetComing()
    rowsByChange.removeAll()
    rows = []
  }

  // MARK: Length and JSON

  override var length: Int { Self.length(order: orderSum, items: itemsSum) + windowLength }

  /// The last element of a list has no comma.
  private static func length(order: Int, items: Int) -> Int {
    #"{"order":[],"items":{}}"#.utf8.count + max(0, order - 1) + max(0, items - 1)
  }

  /// The bytes of a row in `items`: its key and its state, with a colon and a comma.
  private func bytes(_ entry: ListEntry, _ length: Int) -> Int { entry.length + length + 2 }

  override func measure() -> Int {
    guard hasBegun else { return length }
    var (order, items, window) = (orderSum, itemsSum, windowLength)
    var gone: Set<ObjectIdentifier> = []
    if hasOrderBegun {
      if source.window != nil {
        window = Self.length(of: source.shownWindow, count: source.total)
      }
      let (stretch, entries) = difference(to: source.shown)
      var old: [ObjectIdentifier: RowPart] = [:]
      for row in rows[stretch] {
        old[ObjectIdentifier(row.entry)] = row
        gone.insert(ObjectIdentifier(row))
        order -= row.entry.length + 1
        items -= bytes(row.entry, row.length)
      }
      for entry in entries {
        order += entry.length + 1
        items += bytes(entry, (old[ObjectIdentifier(entry)] ?? comingPart(of: entry)).measure())
      }
    }
    for row in begunRows where row.parent != nil && !gone.contains(ObjectIdentifier(row)) {
      items += row.measure() - row.length
    }
    return Self.length(order: order, items: items) + window
  }

  /// The state of a row that the next stamp will show.
  private func comingPart(of entry: ListEntry) -> RowPart {
    if let known = coming[ObjectIdentifier(entry)] { return known }
    let made = part(of: entry)
    coming[ObjectIdentifier(entry)] = made
    return made
  }

  override func forgetBegun() {
    super.forgetBegun()
    hasOrderBegun = false
    forgetComing()
    for row in begunRows { row.forgetBegun() }
    begunRows = []
  }

  override func forgetMeasured() {
    forgetComing()
    for row in begunRows { row.forgetMeasured() }
  }

  private func forgetComing() {
    for part in coming.values { part.detach() }
    coming = [:]
  }

  override func write(to writer: inout JSONWriter) {
    writer.beginObject()
    if let window {
      writer.key("count")
      writer.integer(count)
      writer.key("window")
      window.write(to: &writer)
    }
    writer.key("order")
    writeOrder(to: &writer)
    writer.key("items")
    writeItems(to: &writer)
    writer.endObject()
  }

  override func write(at path: ArraySlice<String>, to writer: inout JSONWriter) -> Bool {
    switch (path.first, path.count) {
    case (nil, _): write(to: &writer)
    case ("order", 1): writeOrder(to: &writer)
    case ("items", 1): writeItems(to: &writer)
    case ("count", 1) where window != nil: writer.integer(count)
    case ("window", 1): return window.map { $0.write(to: &writer) } != nil
    case ("items", _):
      guard let row = path.dropFirst().first.flatMap({ row(ExactText($0)) }) else { return false }
      return row.write(at: path.dropFirst(2), to: &writer)
    default: return false
    }
    return true
  }

  override func lastChange(at path: ArraySlice<String>) -> UInt64? {
    if path.count == 1, path.first == "window" { return windowChangedAt }
    guard path.first == "items", let key = path.dropFirst().first else { return nil }
    return row(ExactText(key))?.lastChange(at: path.dropFirst(2))
  }

  override func writePatch(since: UInt64, at path: inout [UInt8], to writer: inout JSONWriter) -> Bool {
    guard let removed = removedRows.keys(since: since), let changed = rowsByChange.changed(since: since) else {
      return false
    }
    if countChangedAt > since { writer.operation(.replace, path, Self.countSegment) { $0.integer(count) } }
    if windowChangedAt > since, let window {
      writer.operation(.replace, path, Self.windowSegment) { window.write(to: &$0) }
    }
    let length = path.count
    path += Self.itemsSegment
    for entry in removed where row(entry.key) == nil { writer.operation(.remove, path, entry.segment) }
    for row in changed {
      if row.cameAt > since {
        // `add` replaces too: the reader may have had another row under this key.
        writer.operation(.add, path, row.entry.segment) { row.write(to: &$0) }
      } else {
        row.writeChange(since: since, at: &path, row.entry.segment, to: &writer)
      }
    }
    path.removeLast(path.count - length)
    if orderChangedAt > since {
      path += Self.orderSegment
      writeOrderChange(since: since, path, to: &writer)
      path.removeLast(path.count - length)
    }
    return true
  }
}
