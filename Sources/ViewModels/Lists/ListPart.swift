// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// The state of a list: `{"order":[…],"items":{…}}`, with `"count"` and `"window"` first if it has a window.
///
/// Only the rows that are shown are watched. A change in one costs what that row costs, however many there are: the rows
/// are linked in the order of their last change, and a patch looks at those after the reader's revision.
final class ListPart: StatePart, Watcher {
  private let source: KeyedListCore
  private let showsKinds: Bool
  private var subscriptions: [Subscription] = []

  /// The entries that are shown, as of the last stamp.
  private(set) var order: [ListEntry] = []
  private(set) var rows: [ExactText: RowPart] = [:]
  private var rowsByChange = RowsByChange()
  private var removedRows = RemovedRows()
  private(set) var history = OrderHistory()
  private var orderChangedAt: UInt64 = 0

  private var count = 0
  private var countChangedAt: UInt64 = 0
  private var window: ListWindow?
  private var windowChangedAt: UInt64 = 0

  /// The bytes of all keys in `order`, and of all rows in `items`, each with a comma.
  private var orderSum = 0
  private var itemsSum = 0
  /// The bytes of `count` and `window` with their names and commas.
  private var windowLength = 0
  /// The states of rows that are about to come, made to be measured.
  private var coming: [ObjectIdentifier: (entry: ListEntry, part: ObjectPart)] = [:]

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

  // MARK: What changes

  func nodeDidChange(_ tag: Int) {
    hasOrderBegun = true
    begin()
  }

  override func partDidBegin(_ part: StatePart) {
    guard let row = part as? RowPart else { fatalError("a list has no parts but its rows") }
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
      let isOther = row.stamp(revision)
      count(row)
      guard isOther else { continue }
      rowsByChange.moveToNewest(row)
      isVisible = true
    }
    return isVisible
  }

  /// Takes over the shown rows and their order.
  private func stampOrder(_ revision: UInt64) -> Bool {
    var isVisible = false
    let total = source.entries.count
    let window = source.window?.value.within(total)
    if window != nil, count != total { (count, countChangedAt, isVisible) = (total, revision, true) }
    if self.window != window { (self.window, windowChangedAt, isVisible) = (window, revision, true) }
    if isVisible { windowLength = Self.length(of: window, count: total) }

    // Once: making a row may change the list, which is of the next stamp.
    let shown = source.shown
    let (prefix, suffix, old, new) = difference(to: shown)
    if old.isEmpty, new.isEmpty { return isVisible }

    let stay = Set(new.map(ObjectIdentifier.init))
    for entry in old where !stay.contains(ObjectIdentifier(entry)) { remove(entry, revision) }
    for entry in new where rows[entry.key] == nil { insert(entry, revision) }
    let oldKeys = old.map(\.key)
    // Another row under the same key is no change of the order.
    if oldKeys != new.map(\.key) {
      history.remember(oldKeys, prefix: prefix, suffix: suffix, revision: revision, count: shown.count)
      orderChangedAt = revision
    }
    order = Array(shown)
    return true
  }

  /// The entries that are no longer shown and those that are instead, between those that stay at the beginning and at the end.
  private func difference(
    to shown: ArraySlice<ListEntry>
  ) -> (prefix: Int, suffix: Int, old: ArraySlice<ListEntry>, new: ArraySlice<ListEntry>) {
    let prefix = zip(order, shown).prefix { $0 === $1 }.count
    let rest = min(order.count, shown.count) - prefix
    let suffix = zip(order.reversed(), shown.reversed()).prefix(rest).prefix { $0 === $1 }.count
    return (prefix, suffix, order[prefix..<(order.count - suffix)], shown.dropFirst(prefix).dropLast(suffix))
  }

  private func insert(_ entry: ListEntry, _ revision: UInt64) {
    let object = coming.removeValue(forKey: ObjectIdentifier(entry))?.part
    let row = RowPart(entry, of: self, showsKind: showsKinds, cameAt: revision, object: object)
    rows[entry.key] = row
    orderSum += entry.length + 1
    count(row)
    rowsByChange.insertNewest(row)
  }

  private func remove(_ entry: ListEntry, _ revision: UInt64) {
    guard let row = rows.removeValue(forKey: entry.key) else { return }
    rowsByChange.remove(row)
    row.detach()
    orderSum -= entry.length + 1
    itemsSum -= row.counted
    removedRows.remember(row, revision: revision)
  }

  override func detach() {
    super.detach()
    for subscription in subscriptions { subscription.dispose() }
    // Each holds its watcher, which is this.
    subscriptions = []
    for row in rows.values { row.detach() }
    forgetComing()
    rowsByChange.removeAll()
    rows = [:]
  }

  // MARK: What it is

  override var length: Int { Self.length(order: orderSum, items: itemsSum) + windowLength }

  /// The last of a list has no comma.
  private static func length(order: Int, items: Int) -> Int {
    #"{"order":[],"items":{}}"#.utf8.count + max(0, order - 1) + max(0, items - 1)
  }

  private static func length(of window: ListWindow?, count: Int) -> Int {
    guard let window else { return 0 }
    var writer = JSONWriter(capacity: 64)
    writer.integer(count)
    window.write(to: &writer)
    // With the names, two colons and the comma at the end; that between the two is in the writer.
    return writer.count + #""count":"window":,"#.utf8.count
  }

  /// Counts the bytes that a row has now.
  private func count(_ row: RowPart) {
    let length = bytes(row.entry, row.length)
    itemsSum += length - row.counted
    row.counted = length
  }

  /// The bytes of a row in `items`: its key and its state, with a colon and a comma.
  private func bytes(_ entry: ListEntry, _ length: Int) -> Int { entry.length + length + 2 }

  override func measure() -> Int {
    guard hasBegun else { return length }
    var (order, items, window) = (orderSum, itemsSum, windowLength)
    var gone: Set<ObjectIdentifier> = []
    if hasOrderBegun {
      if source.window != nil {
        window = Self.length(of: source.window?.value.within(source.entries.count), count: source.entries.count)
      }
      let (_, _, old, new) = difference(to: source.shown)
      for entry in old {
        gone.insert(ObjectIdentifier(entry))
        order -= entry.length + 1
        items -= rows[entry.key]?.counted ?? 0
      }
      for entry in new {
        order += entry.length + 1
        items += bytes(entry, lengthToCome(entry))
      }
    }
    for row in begunRows where row.parent != nil && !gone.contains(ObjectIdentifier(row.entry)) {
      items += bytes(row.entry, row.measure()) - row.counted
    }
    return Self.length(order: order, items: items) + window
  }

  /// The bytes of a row that is shown after a stamp now, and may be already.
  private func lengthToCome(_ entry: ListEntry) -> Int {
    if let row = rows[entry.key], row.entry === entry { return row.measure() }
    if let known = coming[ObjectIdentifier(entry)] { return known.part.measure() }
    let made = entry.model.part(showsKind: showsKinds)
    coming[ObjectIdentifier(entry)] = (entry, made)
    return made.length
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
    for (_, part) in coming.values { part.detach() }
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
      guard let row = path.dropFirst().first.flatMap({ rows[ExactText($0)] }) else { return false }
      return row.object.write(at: path.dropFirst(2), to: &writer)
    default: return false
    }
    return true
  }

  override func writePatch(since: UInt64, at path: inout [UInt8], to writer: inout JSONWriter) -> Bool {
    guard let removed = removedRows.keys(since: since) else { return false }
    if countChangedAt > since { writer.operation(.replace, path, Self.countSegment) { $0.integer(count) } }
    if windowChangedAt > since, let window {
      writer.operation(.replace, path, Self.windowSegment) { window.write(to: &$0) }
    }
    let length = path.count
    path += Self.itemsSegment
    for entry in removed where rows[entry.key] == nil { writer.operation(.remove, path, entry.segment) }
    for row in rowsByChange.changed(since: since) {
      if row.cameAt > since {
        // `add` replaces too: the reader may have had another row under this key.
        writer.operation(.add, path, row.entry.segment) { row.object.write(to: &$0) }
      } else {
        row.object.writeChange(since: since, at: &path, row.entry.segment, to: &writer)
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

  private static let countSegment = Array("/count".utf8)
  private static let windowSegment = Array("/window".utf8)
  private static let itemsSegment = Array("/items".utf8)
  private static let orderSegment = Array("/order".utf8)
}
