// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A list over a table that the test reads for it.
final class Catalogue: ViewModel {
  struct Entry: Codable, JSONRepresentable { var key, text: String }
  struct Reading: Codable, JSONRepresentable {
    var first, total: Int
    var entries: [Entry]
  }

  final class Row: ViewModel {
    @Observed var text: String
    init(_ text: String) { self.text = text }
    static let surface = Surface<Row>("row", .twoWay("text", \.$text))
  }

  let rows = KeyedList<Row>(window: 3)

  /// - Parameter first: the first rows, which it shows as soon as it is made.
  init(first: [String] = []) {
    if !first.isEmpty { show(Reading(first: 0, total: 100, entries: first.map { Entry(key: $0, text: $0) })) }
  }

  func show(_ reading: Reading) {
    rows.show(
      reading.entries, from: reading.first, of: reading.total, key: \.key,
      make: { Row($0.text) }, update: { $0.text = $1.text })
  }

  func keep(_ keys: [String]) { rows.update(keys) { Row($0) } }

  /// All rows of a table, without a window.
  let short = KeyedList<Row>()

  func showAll(_ entries: [Entry]) {
    short.show(entries, key: \.key, make: { Row($0.text) }, update: { $0.text = $1.text })
  }

  static let surface = Surface<Catalogue>(
    "catalogue", .list("rows", \.rows, hasWindow: true) { _, _ in Row("") }, .action("show", Catalogue.show),
    .action("keep", Catalogue.keep),
    .list("short", \.short).orderNotStored(), .action("showAll", Catalogue.showAll))
}

/// A list that shows a stretch of a longer one, which is elsewhere.
@Suite(.timeLimit(.minutes(30))) struct `A list over a table` {
  private let catalogue: ModelDriver

  init() throws { catalogue = try ModelDriver { Catalogue() } }

  /// Shows rows that were read: `n5` to `n9` for 5..<10.
  private func show(_ range: Range<Int>, of total: Int = 1_000, _ word: String = "text") throws {
    let entries = range.map {
      JSON.object([.init(name: "key", value: .string("n\($0)")), .init(name: "text", value: .string("\(word) \($0)"))])
    }
    try catalogue.perform(
      "show", ["first": .integer(Int64(range.lowerBound)), "total": .integer(Int64(total)), "entries": .array(entries)])
  }

  @Test func `tells the number of all rows, and shows those that were read`() throws {
    try show(0..<3)
    #expect(
      catalogue["rows"] == [
        "count": 1000, "window": ["first": 0, "count": 3], "order": ["n0", "n1", "n2"],
        "items": ["n0": ["text": "text 0"], "n1": ["text": "text 1"], "n2": ["text": "text 2"]],
      ])
  }

  @Test func `shows of another window what was read before, until that window is read`() throws {
    try show(0..<3)
    try catalogue.set("rows/window", ["first": 2, "count": 3])
    #expect(catalogue["rows/order"] == ["n2"])
    try catalogue.set("rows/window", ["first": 500, "count": 3])
    #expect(catalogue["rows/order"] == [])
    #expect(catalogue["rows/window"] == ["first": 500, "count": 3])
    try show(500..<503)
    #expect(catalogue["rows/order"] == ["n500", "n501", "n502"])
    try catalogue.set("rows/window", ["first": 499, "count": 3])
    #expect(catalogue["rows/order"] == ["n500", "n501"])
    // The window begins with the first row that is shown, so that a view puts it in its place.
    #expect(catalogue["rows/window"] == ["first": 500, "count": 3])
    try show(499..<502)
    #expect(catalogue["rows/window"] == ["first": 499, "count": 3])
    #expect(catalogue["rows/order"] == ["n499", "n500", "n501"])
  }

  @Test func `keeps the rows whose keys stay, and sends what has changed in them`() throws {
    try show(0..<3)
    _ = catalogue.takeFrame()
    try show(0..<3)
    #expect(catalogue.takeFrame()["patch"] == [])
    try show(1..<4, of: 999, "new")
    try catalogue.set("rows/window", ["first": 1, "count": 3])
    #expect(catalogue["rows/items/n3/text"] == "new 3")
    #expect(catalogue["rows/items/n1/text"] == "new 1")
    #expect(catalogue["rows/count"] == 999)
  }

  @Test func `is after a restart as it was shown, in its place, with what was typed in its rows`() throws {
    let rows: [JSON] = (500..<540).map { ["key": .string("n\($0)"), "text": "text"] }
    let again = try Restoring.expectSame(
      [
        .set("rows/window", ["first": 502, "count": 2]),
        .perform("show", ["first": 500, "total": 1000, "entries": .array(rows)]),
        .set("rows/items/n502/text", "typed"),
      ], then: [.set("rows/window", ["first": 502, "count": 4]), .set("rows/items/n505/text", "typed as well")]
    ) { Catalogue() }
    #expect(
      try again.shown["rows"] == [
        "count": 1000, "window": ["first": 502, "count": 4], "order": ["n502", "n503", "n504", "n505"],
        "items": [
          "n502": ["text": "typed"], "n503": ["text": "text"], "n504": ["text": "text"],
          "n505": ["text": "typed as well"],
        ],
      ])
  }

  @Test func `has its window at the last rows when the table becomes shorter`() throws {
    try catalogue.set("rows/window", ["first": 990, "count": 3])
    try show(0..<2, of: 2)
    #expect(catalogue["rows/window"] == ["first": 0, "count": 3])
    #expect(catalogue["rows/order"] == ["n0", "n1"])
    try show(0..<0, of: 0)
    #expect(catalogue["rows"] == ["count": 0, "window": ["first": 0, "count": 3], "order": [], "items": [:]])
  }

  @Test func `has each row at its own path, wherever the window and the stretch begin`() throws {
    let catalogue = try hosted { Catalogue() }
    func read(_ key: String) -> JSON? {
      var writer = JSONWriter()
      guard catalogue.writeValue(at: ["rows", "items", key, "text"], to: &writer) else { return nil }
      return try? JSONReader.read(writer.bytes)
    }
    let entries = (500..<506).map {
      JSON.object([.init(name: "key", value: .string("n\($0)")), .init(name: "text", value: .string("text \($0)"))])
    }
    try catalogue.set("rows/window", ["first": 502, "count": 3])
    try catalogue.perform("show", ["first": 500, "total": 1000, "entries": .array(entries)])
    _ = catalogue.stamp(1)
    for number in 502..<505 { #expect(read("n\(number)") == .string("text \(number)")) }
    for number in [500, 505] { #expect(read("n\(number)") == nil) }
  }

  @Test func `without a window shows all rows, and keeps those whose keys stay`() throws {
    func showAll(_ entries: (key: String, text: String)...) throws {
      try catalogue.perform("showAll", .array(entries.map { ["key": .string($0.key), "text": .string($0.text)] }))
    }
    try showAll(("a", "Anna"), ("b", "Bob"), ("a", "twice"))
    #expect(catalogue["short"] == ["order": ["a", "b"], "items": ["a": ["text": "Anna"], "b": ["text": "Bob"]]])
    _ = catalogue.takeFrame()
    try showAll(("a", "Anna"), ("b", "Ben"))
    #expect(
      catalogue.takeFrame()["patch"] == [["op": "replace", "path": "/short/items/b/text", "value": "Ben"]])
    try showAll(("c", "Cleo"), ("a", "Anna"))
    #expect(catalogue["short"] == ["order": ["c", "a"], "items": ["c": ["text": "Cleo"], "a": ["text": "Anna"]]])
  }

  @Test func `bears a number of rows that was read too early`() throws {
    try show(0..<3, of: 1)
    #expect(catalogue["rows/count"] == 3)
  }
}
