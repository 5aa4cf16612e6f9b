// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

/// A board of cards, written with properties and methods alone.
private final class Board: ViewModel {
  @Observed var draft = ""
  @Observed var isOpen = true
  @Observed var note = ""
  let cards = KeyedList<Card>()
  let done = KeyedList<Card>()
  private let gate: Gate<String>
  /// Opened when `publish` has written.
  private let written: Gate<Void>?
  private var lastKey = 0
  lazy var canAdd = Computed(self) { $0.isOpen && !$0.draft.isEmpty }
  lazy var left = Computed(self) { $0.cards.count }

  init(_ gate: Gate<String>, written: Gate<Void>? = nil) { (self.gate, self.written) = (gate, written) }

  func add() -> String {
    lastKey += 1
    cards.append(Card(gate), key: "\(lastKey)")
    draft = ""
    return "\(lastKey)"
  }
  func removeAll() { cards.removeAll() }
  func close() { isOpen = false }
  func write(_ text: String) throws {
    if text.isEmpty { throw Refused() }
    note = text
  }
  func double(_ number: Int) -> Int { number &* 2 }
  func move(_ key: String, _ isDone: Bool) {
    guard isDone, let card = cards[key] else { return }
    cards.remove(key)
    done.append(card, key: key)
  }
  nonisolated(nonsending) func publish(_ text: String, _ run: CommandRun) async throws -> Int {
    run.report(0.5)
    note = "publishing"
    // A cancellation ends the wait alone, as the test is about the writes after it.
    let answer = (try? await gate.pass()) ?? "cancelled"
    note = text + answer
    written?.open(with: ())
    return note.count
  }
  nonisolated(nonsending) func refresh() async throws { note = try await gate.pass() }
  nonisolated(nonsending) func find(_ text: String) async -> String { text + "!" }
  nonisolated(nonsending) func count(_ run: CommandRun) async -> Int { cards.count }

  struct Refused: Error {}

  static let surface = Surface<Board>(
    "board", .twoWay("draft", \.$draft), .value("note", \.$note), .twoWay("isOpen", \.$isOpen),
    .value("canAdd", \.canAdd), .value("left", \.left),
    .list("cards", \.cards) { board, _ in Card(board.gate) }, .list("done", \.done) { board, _ in Card(board.gate) },
    .stored("lastKey", \.lastKey),
    .action("add", Board.add, when: \.canAdd), .action("close", Board.close, when: \.isOpen),
    .action("removeAll", Board.removeAll), .action("write", Board.write), .action("double", Board.double),
    .action("move", Board.move, takes: "card", "isDone"),
    .command("publish", Board.publish, when: { $0.isOpen }), .command("refresh", Board.refresh),
    .command("find", Board.find), .command("count", Board.count))
}

private final class Card: ViewModel {
  @Observed var text = ""
  private let gate: Gate<String>

  init(_ gate: Gate<String>) { self.gate = gate }

  nonisolated(nonsending) func save() async throws { text = try await gate.pass() }
  lazy var keeping = Command<Void, Void>(self, Card.save)

  static let surface = Surface<Card>(
    "card", .value("text", \.$text), .command("save", Card.save), .command("keep", \.keeping))
}

@Suite(.timeLimit(.minutes(30))) struct `A view model of properties and methods` {
  let gate = Gate<String>()
  let model: ModelDriver

  init() throws { model = try ModelDriver { [gate] in Board(gate) } }

  @Test func `shows and takes observed values`() throws {
    #expect(model["canAdd"] == false)
    try model.set("draft", "milk")
    #expect(model["canAdd"] == true)
    #expect(try model.perform("add") == "1")
    #expect(model["draft"] == "" && model["left"] == 1)
  }

  @Test func `has actions that take a value, give one, or throw`() throws {
    #expect(try model.perform("write", "x") == .null)
    #expect(model["note"] == "x")
    #expect(try model.perform("double", 21) == 42)
    #expect(throws: ViewModelFailure.self) { try model.perform("write", "") }
    #expect(refusal { try model.perform("write", 1) } == "expected string, got integer")
  }

  @Test func `refuses an action while its condition is false, be it observed or a plain one`() throws {
    #expect(refusal { try model.perform("add") } == "'add' is disabled now by the view model")
    try model.perform("close")
    #expect(refusal { try model.perform("close") } == "'close' is disabled now by the view model")
    #expect(model["publish/enabled"] == false)
    #expect(refusal { try model.perform("publish", "x") } == "'publish' is disabled now by the view model")
  }

  @Test func `has actions that take several values, by their names`() throws {
    try model.set("draft", "milk")
    try model.perform("add")
    try model.perform("move", ["card": "1", "isDone": true])
    #expect(model["left"] == 0)
    #expect(model["done/order"] == ["1"])
    #expect(
      refusal { try model.perform("move", ["card": "1"]) }
        == "expected an object with 'card', 'isDone', got one without 'isDone'")
    #expect(
      refusal { try model.perform("move", ["card": "1", "isDone": true, "x": 1]) }
        == "expected an object with 'card', 'isDone', got one with 'x'")
    #expect(
      refusal { try model.perform("move", ["card": "1", "isDone": 1]) } == "expected boolean, got integer at /isDone")
    #expect(refusal { try model.perform("move") } == "expected an object with 'card', 'isDone', got no value")
  }

  @Test func `has commands of each form`() async throws {
    #expect(try model.perform("find", "x") == "x!")
    #expect(try model.perform("count") == 0)
    try model.perform("publish", "x")
    #expect(model["note"] == "publishing")
    #expect(model["publish/progress"] == 0.5 && model["publish/executing"] == true)
    gate.open(with: "y")
    await model.settled()
    #expect(model["publish/result"] == 2 && model["note"] == "xy")
    try model.perform("refresh")
    gate.open(throwing: Board.Refused())
    await model.settled()
    #expect(model["refresh/error/type"] == "internal")
  }

  @Test func `S1-6 is not changed by the late writes of a cancelled method`() async throws {
    let written = Gate<Void>()
    let model = try ModelDriver { [gate] in Board(gate, written: written) }
    try model.perform("publish", "x")
    try model.cancel("publish")
    let revision = model.revision
    try await written.pass()
    // The write from before the cancellation stays.
    #expect(model["note"] == "publishing")
    #expect(model.revision == revision)
    try model.perform("publish", "z")
    gate.open(with: "y")
    await model.settled()
    #expect(model["note"] == "zy" && model["publish/result"] == 2)
  }

  @Test(arguments: ["save", "keep"]) func `S1-10 cancels the command of a row that is removed`(command: String)
    async throws
  {
    try model.set("draft", "milk")
    try model.perform("add")
    try model.perform("cards/items/1/\(command)")
    #expect(model["cards/items/1/\(command)/executing"] == true)
    try model.perform("removeAll")
    await model.settled()
    gate.open(with: "late")
    try model.perform("refresh")
    await model.settled()
    #expect(model["note"] == "late")
  }

  @Test(arguments: ["save", "keep"])
  func `goes on with the command of a row that moves to another list`(command: String) async throws {
    try model.set("draft", "milk")
    try model.perform("add")
    try model.perform("cards/items/1/\(command)")
    try model.perform("move", ["card": "1", "isDone": true])
    #expect(model["done/items/1/\(command)/executing"] == true)
    gate.open(with: "saved")
    await model.settled()
    #expect(model["done/items/1/text"] == "saved")
  }

  @Test func `comes back after a restart`() async throws {
    // The gate is never opened.
    try await expectRestorable(without: ["publish", "refresh", "save", "keep"]) { [gate] in Board(gate) }
  }

  @Test func `gives the results of each of a batch`() throws {
    let hosted = try hosted { [gate] in Board(gate) }
    let results = try hosted.apply([.perform("double", 1), .perform("close"), .perform("double", 2)]) { _ in }
    #expect(results.mapValues { String(decoding: $0, as: UTF8.self) } == [0: "2", 2: "4"])
  }

  @Test func `S1-10 makes no command of a row that leaves, as none was asked for`() throws {
    final class Asked { var count = 0 }
    final class Row: ViewModel {
      let asked: Asked
      init(_ asked: Asked) { self.asked = asked }
      var mayRun: Bool {
        asked.count += 1
        return true
      }
      nonisolated(nonsending) func run() async {}
      static let surface = Surface<Row>("row", .command("run", Row.run, when: \.mayRun))
    }
    let graph = Graph()
    let asked = Asked()
    graph.enter {
      let rows = KeyedList<Row>()
      rows.append(Row(asked), key: "a")
      let members = graph.memberCount
      rows.removeAll()
      #expect(graph.memberCount <= members)
    }
    #expect(asked.count == 0)
  }

  @available(*, deprecated, message: "to be silent about the sentence that the compiler has for it")
  @Test func `fails an action that makes a command of a method off its session, with the remedy`() throws {
    final class Page: ViewModel {
      @Observed var note = ""
      private var publishing: Command<Void, Void>?
      func prepare() throws {
        note = "preparing"
        publishing = try Command(self, Page.publish, name: "publishing")
      }
      func write() { note = "written" }
      @concurrent func publish() async throws {}
      static let surface = Surface<Page>(
        "page", .value("note", \.$note), .action("prepare", Page.prepare), .action("write", Page.write))
    }
    let page = try ModelDriver { Page() }
    let failure = #expect(throws: ViewModelFailure.self) { try page.perform("prepare") }
    #expect("\(try #require(failure))".contains("the command 'publishing (ViewModelsTests/MethodTests.swift:"))
    #expect(
      "\(try #require(failure))".contains(
        "' is of an async method that leaves its session; expected one that stays in it: add .enableUpcomingFeature(\"NonisolatedNonsendingByDefault\")"
      ), "\(failure.map { "\($0)" } ?? "none")")
    #expect(page["note"] == "")
    try page.perform("write")
    #expect(page["note"] == "written")
    let entry = #expect(throws: ObservableError.self) { try SurfaceEntry<Page>.command("publish", Page.publish) }
    #expect("\(try #require(entry))".hasPrefix("the command 'publish' is of an async method that leaves its session"))
  }
}
