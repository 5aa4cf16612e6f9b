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

  /// What is shown, as of the last stamp.
  private var order: [ListEntry] = []
  private var rows: [RowKey: RowPart] = [:]
  private var rowsByChange = RowsByChange()
  private var removedRows = RemovedRows()
  private var history = OrderHistory()
  private var orderChangedAt: UInt64 = 0

  private var count = 0
  private var countChangedAt: UInt64 = 0
  private var window: ListWindow?
  private var windowChangedAt: UInt64 = 0

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
    // A list has no parts but its rows.
    begunRows.append(unsafeDowncast(part, to: RowPart.self))
    begin()
  }

  override func stamp(_ revision: UInt64) -> Bool {
    guard takeBegun() else { return false }
    var isVisible = false
    if hasOrderBegun {
      hasOrderBegun = false
      isVisible = stampOrder(revision)
    }
    let begun = begunRows
    begunRows.removeAll(keepingCapacity: begun.count < 64)
    for row in begun where row.parent != nil && row.stamp(revision) {
      rowsByChange.moveToNewest(row)
      isVisible = true
    }
    return isVisible
  }

  /// Takes in which rows are shown, and in which order.
  private func stampOrder(_ revision: UInt64) -> Bool {
    var isVisible = false
    let total = source.entries.count
    let window = source.window?.value.within(total)
    if window != nil, count != total { (count, countChangedAt, isVisible) = (total, revision, true) }
    if self.window != window { (self.window, windowChangedAt, isVisible) = (window, revision, true) }

    let shown = source.shown
    let prefix = zip(order, shown).prefix { $0 === $1 }.count
    let rest = min(order.count, shown.count) - prefix
    let suffix = zip(order.reversed(), shown.reversed()).prefix(rest).prefix { $0 === $1 }.count
    let old = order[prefix..<(order.count - suffix)]
    let new = shown.dropFirst(prefix).dropLast(suffix)
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

  private func insert(_ entry: ListEntry, _ revision: UInt64) {
    let row = RowPart(entry, of: self, showsKind: showsKinds, cameAt: revision)
    rows[entry.key] = row
    rowsByChange.insertNewest(row)
  }

  private func remove(_ entry: ListEntry, _ revision: UInt64) {
    guard let row = rows.removeValue(forKey: entry.key) else { return }
    rowsByChange.remove(row)
    row.detach()
    removedRows.remember(row, revision: revision)
  }

  override func detach() {
    super.detach()
    for subscription in subscriptions { subscription.dispose() }
    // Each holds its watcher, which is this.
    subscriptions = []
    for row in rows.values { row.detach() }
    rowsByChange.removeAll()
    rows = [:]
  }

  // MARK: What it is

  /// A key may be empty, and the last of a list has no comma.
  override var leastLength: Int {
    #"{"order":[],"items":{}}"#.utf8.count + max(0, order.count * #""","":{},"#.utf8.count - ",,".utf8.count)
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

  private func writeOrder(to writer: inout JSONWriter) {
    writer.beginArray()
    for entry in order { writer.string(entry.key.text) }
    writer.endArray()
  }

  private func writeItems(to writer: inout JSONWriter) {
    writer.beginObject()
    for entry in order {
      writer.key(entry.key.text)
      rows[entry.key]?.object.write(to: &writer)
    }
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
      guard let row = path.dropFirst().first.flatMap({ rows[RowKey($0)] }) else { return false }
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

  private func writeOrderChange(since: UInt64, _ path: [UInt8], to writer: inout JSONWriter) {
    let keys = order.map(\.key)
    guard let old = history.order(at: since, now: keys),
      let difference = OrderDifference(from: old, to: keys, limit: 256)
    else { return writer.operation(.replace, path) { writeOrder(to: &$0) } }
    let start = writer.mark
    for step in difference.steps {
      switch step {
      case .remove(let index): writer.operation(.remove, path, Array("/\(index)".utf8))
      case .add(let key, let index): writer.operation(.add, path, Array("/\(index)".utf8)) { $0.string(key.text) }
      case .move(let from, let to): writer.move(path, from: from, to: to)
      }
    }
    let least = path.count + "[]".utf8.count + keys.count * #""k","#.utf8.count
    writer.replaceIfShorter(from: start, least: least, path) { writeOrder(to: &$0) }
  }

  private static let countSegment = Array("/count".utf8)
  private static let windowSegment = Array("/window".utf8)
  private static let itemsSegment = Array("/items".utf8)
  private static let orderSegment = Array("/order".utf8)
}
