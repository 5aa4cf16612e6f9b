// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

@Suite struct `The key of a row` {
  @Test(
    arguments: [
      "", "~", "/", "%", "\"", "\u{1}\n\u{7f}", "~1", "~01", "\\", "order", "items", "\u{2028}", "🎈",
      String(repeating: "k", count: 10_000),
    ])
  func `may be any text`(key: String) throws {
    let shelf = try ModelDriver { Shelf() }
    try shelf.perform("add", "x")
    let before = shelf.state
    _ = shelf.takeFrame()
    try shelf.perform("add", .string(key))
    try shelf.perform(String("\(JSONPointer(["books", "items", key, "shout"]))".dropFirst()))
    try shelf.perform("reverse")
    let frame = shelf.takeFrame()
    let reached = try frame["patch"].map { try before.applying([PatchOperation](json: $0)) } ?? frame["state"]
    #expect(reached == shelf.state)
    try shelf.perform("remove", .string(key))
    #expect(shelf["books/order"] == ["x"])
  }

  @Test func `is its bytes: one that looks the same is another, in the order and in the items`() throws {
    let (one, other) = ("\u{e9}", "e\u{301}")
    let model = try hosted { Shelf() }
    // Eight rows more, so that the list is too long to be sent whole.
    for number in 0..<8 { try model.perform("add", .string("another row, number \(number)")) }
    try model.perform("add", .string(one))
    #expect(model.stamp(2))
    try model.perform("remove", .string(other))
    #expect(!model.stamp(3))
    try model.perform("remove", .string(one))
    #expect(model.stamp(3))
    try model.perform("add", .string(other))
    #expect(model.stamp(4))
    // A reader that knows `one` learns that it is gone and that the other came, in the items and in the order.
    let patch = try model.patch(since: 2).description
    for operation in [
      #"{"op":"remove","path":"/books/items/\#(one)"}"#, #"{"op":"add","path":"/books/items/\#(other)","#,
      #"{"op":"remove","path":"/books/order/8"}"#, #""path":"/books/order/8","value":"\#(other)""#,
    ] {
      // Two texts that look the same are equal, so the bytes are compared.
      #expect(Array(patch.utf8).contains(Array(operation.utf8)), "\(operation): \(patch)")
    }
  }
}

@Suite struct `A key that another row has` {
  final class Cards: ViewModel {
    let cards = KeyedList<Shelf.Book>(name: "cards")

    init(_ keys: [String]) { for key in keys { cards.append(Shelf.Book("first"), key: key) } }

    func append(_ key: String) {
      cards.append(Shelf.Book("second"), key: "new")
      cards.append(Shelf.Book("second"), key: key)
    }
    func insert(_ key: String) { cards.insert(Shelf.Book("second"), key: key, at: 0) }
    func put(_ key: String) { cards.put(Shelf.Book("second"), key: key, at: 0) }

    static let surface = Surface<Cards>(
      "cards", .list("cards", \.cards), .action("append", Cards.append), .action("insert", Cards.insert),
      .action("put", Cards.put))
  }

  static let words =
    ": a row was added under the key 'b', and the list has a row with that key; expected a key that no other row has: "
    + "a row that is to take the place of the other is added with 'put(_:key:)'"

  private func expectDuplicate(_ failure: ViewModelFailure?) {
    #expect(failure?.cause is DuplicateKey)
    let text = failure.map { "\($0.cause)" } ?? ""
    #expect(
      text.hasPrefix("cards (ViewModelsTests/RowKeyTests.swift:") && text.hasSuffix(Self.words), "got: \(text)")
  }

  @Test(arguments: ["append", "insert"]) func `fails the action that adds it, which changes nothing`(
    action: String
  ) throws {
    let cards = try ModelDriver { Cards(["a", "b"]) }
    let before = cards.state
    expectDuplicate(#expect(throws: ViewModelFailure.self) { try cards.perform(action, "b") })
    #expect(cards.state == before)
    try cards.perform(action, "c")
    #expect(cards["cards/items/c/title"] == "second")
  }

  @Test func `fails the making of the view model`() throws {
    expectDuplicate(#expect(throws: ViewModelFailure.self) { try ModelDriver { Cards(["a", "b", "b"]) } })
  }

  @Test func `is for a row that takes the place of the other`() throws {
    let cards = try ModelDriver { Cards(["a", "b"]) }
    try cards.perform("put", "b")
    #expect(cards["cards/order"] == ["b", "a"])
    #expect(cards["cards/items/b/title"] == "second")
  }

  @Test func `fails a transaction that keeps its other changes, and the row stays`() throws {
    let cards = Cards(["b"])
    let first = cards.cards["b"]
    // This transaction is not undone as an observer fails.
    #expect(throws: DuplicateKey.self) { try transaction { cards.append("b") } }
    #expect(cards.cards.keys == ["b", "new"])
    #expect(cards.cards["b"] === first)
  }

  /// Cards that come by a sequence.
  final class Post: ViewModel {
    let cards = KeyedList<Shelf.Book>(name: "cards")
    private let cardDidCome = Observer<String>()

    init(_ keys: AsyncStream<String>) {
      cards.append(Shelf.Book("first"), key: "b")
      cardDidCome.handle(self) { $0.cards.append(Shelf.Book("second"), key: $1) }
      cardDidCome.follow(keys, name: "keys")
    }

    static let surface = Surface<Post>("post", .list("cards", \.cards))
  }

  @Test(.timeLimit(.minutes(30))) func `is refused to a followed sequence: its row stays, and the log has it`()
    async throws
  {
    let (keys, send) = AsyncStream.makeStream(of: String.self)
    let post = try ModelDriver { Post(keys) }
    for key in ["b", "c"] { send.yield(key) }
    await post.wait { $0["cards/order"] == ["b", "c"] }
    #expect(post["cards/items/b/title"] == "first")
    #expect(post.log.count == 1)
    #expect(post.log.first?.contains("of post threw DuplicateKey: cards (ViewModelsTests/") == true, "\(post.log)")
  }

  @Test func `is refused outside of every transaction in a session: its row stays, and the log has it`() {
    let lines = NotingHost.lines {
      let cards = KeyedList<Shelf.Book>(name: "cards")
      let first = Shelf.Book("first")
      cards.append(first, key: "b")
      cards.append(Shelf.Book("second"), key: "b")
      cards.insert(Shelf.Book("second"), key: "b", at: 0)
      #expect(cards.keys == ["b"])
      #expect(cards["b"] === first)
    }
    #expect(lines.count == 2)
    for line in lines { #expect(line.hasPrefix("cards (ViewModelsTests/") && line.hasSuffix(Self.words), "\(line)") }
  }

  @Test func `ends the process with a sentence outside of every transaction and session`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let list = KeyedList<Shelf.Book>(name: "cards")
      list.append(Shelf.Book("first"), key: "b")
      list.append(Shelf.Book("second"), key: "b")
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains(Self.words), "got: \(text)")
  }
}
