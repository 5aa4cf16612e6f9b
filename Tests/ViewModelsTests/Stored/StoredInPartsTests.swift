// SPDX-License-Identifier: MIT
import JSONPatching
import Seeded
import Testing

@testable import ObservableCore
@testable import ViewModels

/// A store of one view model. It takes on the view model's changes as every store does.
struct StoredInParts {
  let model: any HostedModel
  private(set) var main = ""
  private(set) var parts: [[UInt8]: [UInt8]] = [:]

  init(_ model: any HostedModel) { self.model = model }

  /// Stores the parts that have changed, and compares all with the whole state.
  ///
  /// - Parameter place: where a test is that makes many changes.
  /// - Returns: the names of the parts that came or changed, and those of parts that went, with a minus.
  mutating func store(_ place: String = "") throws -> [String] {
    var writer = JSONWriter()
    let change = model.writeStoredMain(isWhole: false, to: &writer)
    main = String(decoding: writer.bytes, as: UTF8.self)
    #expect(change.removed.isDisjoint(with: change.put.keys))
    for (name, json) in change.put {
      #expect(parts[name] != json, "nothing has changed in '\(String(decoding: name, as: UTF8.self))'")
      parts[name] = json
    }
    for name in change.removed { #expect(parts.removeValue(forKey: name) != nil, "what is not there cannot go") }
    #expect(model.storedPartCount == parts.count)
    #expect(model.storedPartBytes == parts.values.reduce(0) { $0 + $1.count })
    #expect(try whole == expected, "\(place)")
    let names = change.put.keys.map { String(decoding: $0, as: UTF8.self) }
    return (names + change.removed.map { "-" + String(decoding: $0, as: UTF8.self) }).sorted()
  }

  /// The stored state of the view model, with any number of rows.
  var expected: JSON {
    get throws { try JSONReader.read(Array(model.storedText.utf8), limits: .init(nodes: .max)) }
  }

  /// The stored state, put together from its parts.
  var whole: JSON {
    get throws { try PartsChange(put: parts).assembled(in: Restoring.read(main)) }
  }

  /// The same store, with the view model that a restart makes of it.
  func restarted(_ type: HostedModelType) throws -> StoredInParts {
    let model = try type.restore(whole, schema: type.schema, for: "a session")
    model.noteStored(parts)
    var again = StoredInParts(model)
    (again.main, again.parts) = (main, parts)
    return again
  }
}

@Suite struct `The stored state in parts` {
  final class Row: ViewModel {
    @Observed var text: String
    @Observed var secret = ""
    init(_ text: String) { self.text = text }
    static let surface = Surface<Row>("row", .twoWay("text", \.$text), .secret("secret", \.$secret))
  }

  /// A row with a plain variable, of whose changes nobody is told.
  final class Counted: ViewModel {
    var count = 0
    func increase() { count += 1 }
    static let surface = Surface<Counted>(
      "counted", .stored("count", \.count), .action("increase", Counted.increase))
  }

  final class Inner: ViewModel {
    let list = KeyedList<Row>()
    static let surface = Surface<Inner>("inner", .list("list", \.list) { _, key in Row(key) })
  }

  final class Page: ViewModel {
    let rows = KeyedList<Row>()
    let counted = KeyedList<Counted>()
    let shown = KeyedList<Row>(window: 3)
    @Observed(cutOff: .never) var inner: Inner?
    @Observed var title = ["title": 1]

    init(_ count: Int) {
      for key in 0..<count {
        rows.append(Row("text"), key: "\(key)")
        counted.append(Counted(), key: "\(key)")
      }
      shown.update((0..<count).map(String.init)) { Row("shown \($0)") }
    }

    func add(_ key: String) { rows.append(Row("added"), key: key) }
    func remove(_ key: String) { rows.remove(key) }
    func move(_ words: [String]) { rows.move(words[0], to: min(Int(words[1]) ?? 0, rows.count - 1)) }
    func exchange(_ key: String) {
      rows.remove(key)
      rows.append(Row("another"), key: key)
    }
    func renew(_ count: Int) {
      let inner = Inner()
      for key in 0..<count { inner.list.append(Row("inner"), key: "\(key)") }
      self.inner = count == 0 ? nil : inner
    }
    func fail(_ key: String) throws {
      rows.remove(key)
      rows["0"]?.text = "undone"
      throw Failure()
    }

    struct Failure: Error {}

    static let surface = Surface<Page>(
      "page", .list("rows", \.rows) { _, key in Row("again \(key)") },
      .list("counted", \.counted) { _, _ in Counted() },
      .list("shown", \.shown, hasWindow: true) { _, key in Row("again \(key)") },
      .nested("inner", \.$inner) { _ in Inner() }, .twoWay("title", \.$title),
      .action("add", Page.add), .action("remove", Page.remove), .action("move", Page.move),
      .action("exchange", Page.exchange), .action("renew", Page.renew), .action("fail", Page.fail))
  }

  private static let least = PartsKeeper.least

  private static func type(_ count: Int) -> HostedModelType { .hosting { Page(count) } }

  private func page(_ count: Int = `The stored state in parts`.least) throws -> StoredInParts {
    var stored = StoredInParts(try Self.type(count).make(for: "a session"))
    _ = try stored.store()
    return stored
  }

  @Test func `a changed row is one part, however many there are, and an unchanged one is none`() throws {
    var stored = try page(1_000)
    // The last list shows three rows, and has made no other.
    #expect(stored.parts.count == 1_000 + 1 + 1_000 + 1 + 3 + 1)
    #expect(try stored.store() == [])
    try stored.model.set("rows/items/7/text", "new")
    #expect(try stored.store() == ["/rows/items/7"])
    #expect(stored.parts[Array("/rows/items/7".utf8)] == Array(#"{"text":"new"}"#.utf8))
    try stored.model.set("rows/items/7/text", "old")
    try stored.model.set("rows/items/7/text", "new")
    try stored.model.set("title", ["title": 2])
    #expect(try stored.store() == [])
    try stored.model.set("rows/items/8/secret", "x")
    try stored.model.set("rows/items/9/text", "y")
    #expect(try stored.store() == ["/rows/items/8", "/rows/items/9"])
  }

  @Test func `a change that nobody tells of is seen, and one of a row that was just made`() throws {
    var stored = try page()
    try stored.model.perform("counted/items/3/increase")
    #expect(try stored.store() == ["/counted/items/3"])
    try stored.model.set("shown/window", ["first": 30, "count": 1])
    // A look at the state makes the row.
    _ = try stored.model.shown
    #expect(try stored.store() == ["/shown/items/30"])
  }

  @Test func `rows come, go, move and are exchanged`() throws {
    var stored = try page()
    try stored.model.perform("add", "a/~ü")
    #expect(try stored.store() == ["/rows/items/a~1~0ü", "/rows/order"])
    try stored.model.perform("move", ["a/~ü", "0"])
    #expect(try stored.store() == ["/rows/order"])
    try stored.model.perform("exchange", "a/~ü")
    #expect(try stored.store() == ["/rows/items/a~1~0ü", "/rows/order"])
    try stored.model.set("rows/items/a~1~0ü/text", "still told of")
    #expect(try stored.store() == ["/rows/items/a~1~0ü"])
    try stored.model.perform("remove", "a/~ü")
    #expect(try stored.store() == ["-/rows/items/a~1~0ü", "/rows/order"])
    #expect(throws: (any Error).self) { try stored.model.perform("fail", "5") }
    #expect(try stored.store() == [])
  }

  @Test func `a short list is stored whole, and one that becomes long or short is written once more`() throws {
    var stored = try page(Self.least - 1)
    #expect(stored.parts.isEmpty && !stored.main.contains("~parts"))
    try stored.model.perform("add", "a")
    #expect(try stored.store().count == Self.least + 1)
    #expect(stored.main.hasSuffix(#","~parts":\#(Self.least + 1)}"#))
    try stored.model.perform("remove", "a")
    #expect(try stored.store().count == Self.least + 1)
    #expect(stored.parts.isEmpty)
  }

  @Test func `another list in the place of one has those of its parts that are the same`() throws {
    var stored = try page(1)
    try stored.model.perform("renew", .integer(Int64(Self.least)))
    #expect(try stored.store().count == Self.least + 1)
    try stored.model.perform("renew", .integer(Int64(Self.least + 1)))
    #expect(try stored.store() == ["/inner/list/items/\(Self.least)", "/inner/list/order"])
    try stored.model.set("inner/list/items/2/text", "new")
    #expect(try stored.store() == ["/inner/list/items/2"])
    try stored.model.perform("renew", 0)
    #expect(try stored.store().count == Self.least + 2)
  }

  @Test func `after a restart nothing is written that is stored`() throws {
    var stored = try page()
    try stored.model.set("rows/items/7/text", "new")
    try stored.model.perform("remove", "1")
    try stored.model.perform("add", "a")
    _ = try stored.store()
    var again = try stored.restarted(Self.type(Self.least))
    #expect(try again.store() == [])
    try again.model.set("rows/items/7/text", "newer")
    #expect(try again.store() == ["/rows/items/7"])
    #expect(try again.model.shown["rows"]?["items"]?["7"]?["text"] == "newer")
  }

  @Test func `a part that is missing, too many, no JSON or out of place is noticed`() throws {
    let stored = try page()
    let main = try Restoring.read(stored.main)
    var missing = stored.parts
    missing[Array("/rows/items/7".utf8)] = nil
    var bad = stored.parts
    bad[Array("/rows/items/7".utf8)] = Array("{".utf8)
    var stray = missing
    stray[Array("/nowhere/items/7".utf8)] = Array("{}".utf8)
    var nameless = missing
    nameless[[]] = Array("{}".utf8)
    for parts in [missing, bad, stray, nameless, [:]] {
      #expect(throws: StoredStateError.self) { try PartsChange(put: parts).assembled(in: main) }
    }
    #expect(throws: StoredStateError.self) { try PartsChange(put: stored.parts).assembled(in: [:]) }
  }

  @Test func `a value that looks like a count of parts is a value`() throws {
    var stored = try page()
    try stored.model.set("title", ["~parts": 3])
    _ = try stored.store()
    #expect(try stored.whole["title"] == ["~parts": 3])
    #expect(try stored.restarted(Self.type(Self.least)).whole == stored.whole)
  }

  @Test func `a row that has gone is let go of when that is stored`() throws {
    var stored = try page()
    weak var row: Row?
    if let hosted = stored.model as? Hosted<Page> { hosted.enter { row = hosted.model.rows["5"] } }
    #expect(row != nil)
    try stored.model.perform("remove", "5")
    _ = stored.model.stamp(1_000_000)
    _ = try stored.store()
    #expect(row == nil)
  }

  @Test func `a closed view model lets go of all rows`() throws {
    weak var page: Page?
    do {
      let stored = try self.page()
      page = (stored.model as? Hosted<Page>)?.model
      stored.model.close()
    }
    #expect(page == nil)
  }

  static let seed = SeededGenerator.seed

  @Test func `the parts together are always the whole state, after any changes`() throws {
    for round in 0..<12 {
      let seed = Self.seed &+ UInt64(round)
      var generator = SeededGenerator(seed: seed)
      let type = Self.type(Self.least - 2)
      var stored = StoredInParts(try type.make(for: "a session"))
      for step in 0..<120 {
        for _ in 0..<Int.random(in: 0..<3, using: &generator) { try act(on: stored.model, step, &generator) }
        if Int.random(in: 0..<3, using: &generator) == 0 { _ = try stored.model.shown }
        _ = try stored.store("seed \(seed), step \(step)")
        if Int.random(in: 0..<15, using: &generator) == 0 {
          stored = try stored.restarted(type)
          // A restart has emptied the secrets, so their parts change.
          _ = try stored.store("seed \(seed), after a restart at step \(step)")
        }
      }
    }
  }

  private func act(on model: any HostedModel, _ step: Int, _ generator: inout SeededGenerator) throws {
    let key = "\(Int.random(in: 0..<Self.least + 6, using: &generator))"
    let list = ["rows", "shown"].randomElement(using: &generator) ?? ""
    let change: Change =
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: .perform("add", .string(key))
      case 1: .perform("remove", .string(key))
      case 2: .perform("move", [.string(key), .string("\(step % 40)")])
      case 3: .perform("exchange", .string(key))
      case 4: .perform("renew", [0, 3, 32, 40].randomElement(using: &generator))
      case 5: .perform("fail", .string(key))
      case 6: .perform(["counted", "items", key, "increase"], nil)
      case 7: .set([list, "items", key, "secret"], step.isMultiple(of: 2) ? "" : "x")
      case 8: .set("shown/window", ["first": .integer(Int64(step % 30)), "count": 4])
      default: .set([list, "items", key, "text"], .string("\(step % 3)"))
      }
    // Some changes fail, as there is no such row, or there is one already.
    _ = try? model.apply(change)
  }
}
