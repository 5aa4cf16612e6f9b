// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

extension Surface.Stored {
  /// - Parameters:
  ///   - hasKinds: whether the rows are of different kinds.
  ///   - hasOrder: whether the rows themselves are stored; if not, values are put back only into rows that the
  ///     view model has.
  ///   - hasVariables: whether rows may have stored variables.
  ///   - make: makes a row again; `nil` if the surface does not say how.
  static func list<Row>(
    _ name: String, _ list: @escaping @Sendable (Model) -> KeyedList<Row>, hasKinds: Bool, hasOrder: Bool = true,
    hasVariables: @escaping @Sendable () -> Bool, make: (@Sendable (Model) -> RowMaker<Row>)?
  ) -> Surface<Model>.Stored {
    let label = OutputLabel(name)
    let withoutOrder = { @Sendable in
      Self.list(name, list, hasKinds: hasKinds, hasOrder: false, hasVariables: hasVariables, make: make)
    }
    return Surface<Model>.Stored(
      name: name, stage: .made,
      write: { model, parts, writer in
        writer.rawPrefix(label.member)
        let (core, storing) = (
          list(model).core, ListStoring(hasKinds: hasKinds, hasOrder: hasOrder, canRemake: make != nil)
        )
        if let parts { parts.write(core, storing, name, to: &writer) } else { core.writeStored(storing, to: &writer) }
      },
      putBack: { model, object, restoration in
        guard let json = object[name] else { return }
        let putting = ListPuttingBack(
          name: name, list: list(model), hasKinds: hasKinds, make: make?(model), restoration: restoration)
        try restoration.below(name) { try putting.putBack(json, hasOrder: hasOrder) }
      },
      losses: { model, losses in
        let core = list(model).core
        for entry in core.entries { core.madeModel(of: entry)?.addLosses(to: &losses) }
      },
      variables: { model, variables in
        guard hasVariables() else { return }
        let core = list(model).core
        for entry in core.entries { if let row = core.madeModel(of: entry) { variables.add(of: row) } }
      }, withoutOrder: hasOrder ? withoutOrder : nil)
  }
}

/// The code that makes a row again.
enum RowMaker<Row> {
  case ofOneKind((_ key: String) -> Row)
  case ofKinds((_ key: String, _ kind: String) -> Row?)
}

/// The way in which a list is stored.
struct ListStoring {
  /// Whether the rows are of different kinds.
  let hasKinds: Bool
  /// Whether the order of the rows, and so which rows there are, is stored.
  let hasOrder: Bool
  /// Whether the surface says how a row is made again.
  let canRemake: Bool
}

extension KeyedListCore {
  func writeStored(_ storing: ListStoring, to writer: inout JSONWriter) {
    writer.beginObject()
    writeStoredWindow(to: &writer)
    if storing.hasOrder {
      writer.key("order")
      writeStoredOrder(canRemake: storing.canRemake, to: &writer)
      if let gone = goneForGood {
        writer.key("gone")
        writer.strings(gone)
      }
      if let excerpt = order.value.excerpt {
        writer.key("excerpt")
        excerpt.write(to: &writer)
      }
    }
    writer.key("items")
    writer.beginObject()
    for entry in entries {
      // A row that was never made has no values to store.
      guard let model = madeModel(of: entry) else { continue }
      let start = writer.mark
      writer.key(entry.key.text)
      let lengthIfEmpty = writer.mark.length + "{}".utf8.count
      model.writeStored(nil, showsKind: storing.hasKinds, to: &writer)
      if writer.mark.length == lengthIfEmpty { _ = writer.cut(from: start) }
    }
    writer.endObject()
    writer.endObject()
  }

  func writeStoredWindow(to writer: inout JSONWriter) {
    guard let window else { return }
    writer.key("window")
    window.value.write(to: &writer)
  }

  func writeStoredOrder(canRemake: Bool, to writer: inout JSONWriter) {
    let entries = entries
    if !canRemake, let late = entries.first(where: \.isLate) {
      StoringFault.report(
        """
        \(order.origin): the row '\(late.key.text)' came after the view model was made, and its surface does not \
        say how it is made again
        """, at: "\(order.origin)", expected: "a closure after the list's entry, or '.orderNotStored()'",
        remedy: "write one of them, or no restart can bring this session back")
    }
    writer.strings(entries.lazy.map(\.key))
  }
}

extension JSONWriter {
  /// Writes texts as an array.
  mutating func strings(_ texts: some Sequence<ExactText>) {
    beginArray()
    for text in texts { string(text.text) }
    endArray()
  }
}

/// The return of one list from a stored state.
private struct ListPuttingBack<Row> {
  let name: String
  let list: KeyedList<Row>
  let hasKinds: Bool
  let make: RowMaker<Row>?
  let restoration: Restoration

  func putBack(_ json: JSON, hasOrder: Bool) throws {
    guard case .object = json else {
      throw restoration.unreadable("expected an object for a list, got \(json.kindInWords)")
    }
    if let window = list.core.window, let stored = json["window"] {
      try restoration.below("window") {
        if let value = try restoration.value(stored, as: ListWindow.self) { restoration.put(value, into: window) }
      }
    }
    let items = try items(json)
    var entries = list.core.entries
    if hasOrder, let order = json["order"] {
      let first = list.core.entries
      try restoration.below("order") {
        if let keys = try restoration.value(order, as: [String].self) { entries = try self.entries(keys, items) }
      }
      // The rows of an excerpt are those of the longer list: 'init' adds none to them.
      if let gone = json["gone"], json["excerpt"] == nil {
        try restoration.below("gone") {
          let keys = try restoration.value(gone, as: [String].self) ?? []
          entries = Self.adding(first, to: entries, but: Set(keys.map(ExactText.init)))
        }
      }
      let present = Set(entries.map(\.key))
      list.core.putBack(
        entries, gone: first.map(\.key).filter { !present.contains($0) },
        as: try excerpt(json, of: entries.count), restoration)
    }
    try restoration.below("items") {
      for entry in entries {
        guard let item = items[entry.key] else { continue }
        let model = try model(of: entry)
        try restoration.below(entry.key.text) { try model.putBack(item, restoration) }
      }
    }
  }

  /// Adds the rows that the making has made and the stored state does not know. Each comes behind the row that
  /// the making has before it.
  private static func adding(_ first: [ListEntry], to stored: [ListEntry], but gone: Set<ExactText>) -> [ListEntry] {
    let known = gone.union(stored.map(\.key))
    if first.allSatisfy({ known.contains($0.key) }) { return stored }
    var entries = stored
    var place = 0
    for entry in first {
      if let index = entries.firstIndex(where: { $0.key == entry.key }) {
        place = index + 1
      } else if !known.contains(entry.key) {
        entries.insert(entry, at: place)
        place += 1
      }
    }
    return entries
  }

  /// The place of the stored rows in a longer list, whose rows are elsewhere; `nil` if they are the whole list.
  private func excerpt(_ json: JSON, of count: Int) throws -> KeyedListCore.Excerpt? {
    guard list.core.window != nil, let stored = json["excerpt"] else { return nil }
    var excerpt: KeyedListCore.Excerpt?
    try restoration.below("excerpt") { excerpt = try restoration.value(stored, as: KeyedListCore.Excerpt.self) }
    guard let excerpt, excerpt.first >= 0 else { return nil }
    return .init(first: excerpt.first, total: max(excerpt.total, excerpt.first + count))
  }

  private func items(_ json: JSON) throws -> [ExactText: JSON] {
    switch json["items"] {
    case nil: return [:]
    case .object(let members)?:
      return Dictionary(members.map { (ExactText($0.name), $0.value) }) { first, _ in first }
    case .some(let other): throw restoration.unreadable("expected an object as 'items', got \(other.kindInWords)")
    }
  }

  /// The entries under these keys: the present ones, and new ones for the other keys.
  private func entries(_ keys: [String], _ items: [ExactText: JSON]) throws -> [ListEntry] {
    let present = Dictionary(uniqueKeysWithValues: list.core.entries.map { ($0.key, $0) })
    var seen: Set<ExactText> = []
    return try keys.filter { seen.insert(ExactText($0)).inserted }.map { key in
      let item = items[ExactText(key)]
      var kind: String?
      if hasKinds, case .string(let stored)? = item?[StoredName.kind] { kind = stored }
      if let entry = present[ExactText(key)] {
        guard let kind else { return entry }
        let model = try model(of: entry)
        if model.surfaceName == kind { return entry }
      }
      return try newEntry(key, kind, item)
    }
  }

  private func model(of entry: ListEntry) throws -> any ViewModel {
    try list.core.madeModel(of: entry) ?? restoration.make { list.core.model(of: entry) }
  }

  private func newEntry(_ key: String, _ kind: String?, _ item: JSON?) throws -> ListEntry {
    switch make {
    case nil:
      throw restoration.unreadable(
        "the row '\(key)' was not there when the view model was made, and its surface does not say how it is made "
          + "again; expected a closure after the entry of the list '\(name)', or '.orderNotStored()'")
    case .ofOneKind(let make):
      let entry = list.entry(ExactText(key), RowMaking(for: list.core, make), isLate: true)
      // A row without stored values is made when it is first shown.
      if item != nil { _ = try model(of: entry) }
      return entry
    case .ofKinds(let make):
      guard let kind else {
        throw restoration.unreadable("the row '\(key)' was never made, so it is not known of which kind it has to be")
      }
      guard let row = try restoration.make({ make(key, kind) }) else {
        throw restoration.unreadable("the row '\(key)' is of the kind '\(kind)', of which the surface makes none")
      }
      return list.entry(ExactText(key), row, isLate: true)
    }
  }
}

extension Surface {
  typealias RemakeRow<Row> = @Sendable (Model, _ key: String) -> Row
  typealias RemakeKind<Row> = @Sendable (Model, _ key: String, _ kind: String) -> Row?

  static func rowMaker<Row>(_ remake: RemakeRow<Row>?) -> (@Sendable (Model) -> RowMaker<Row>)? {
    guard let remake else { return nil }
    return { model in
      .ofOneKind { [weak model] key in
        // The list belongs to the model. Rows that nobody has looked at must not keep the model alive.
        guard let model else {
          stopProgram(
            "a row was asked of a list whose \(Model.self) has gone", expected: "a list that goes with its view model",
            remedy: "keep the view model for as long as its list")
        }
        return remake(model, key)
      }
    }
  }

  static func rowMaker<Row>(_ remake: RemakeKind<Row>?) -> (@Sendable (Model) -> RowMaker<Row>)? {
    guard let remake else { return nil }
    return { model in .ofKinds { key, kind in remake(model, key, kind) } }
  }
}
