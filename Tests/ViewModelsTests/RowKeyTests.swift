// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing
import ViewModels

/// A list of texts, each of which can be a key.
final class Words: ViewModel {
  let rows = KeyedList<Shelf.Book>()
  let add = Observer<String>()
  let remove = Observer<String>()
  init() {
    add.handle(self) { words, key in words.rows.append(Shelf.Book(""), key: key) }
    remove.handle(self) { words, key in words.rows.remove(key) }
  }
  static let surface = Surface<Words>(
    "words", .list("rows", \.rows), .action("add", \.add), .action("remove", \.remove))
}

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
    let model = try HostedModelType.hosting { Words() }.make(for: "a session")
    // Eight rows more, so that the list is too long to be sent whole.
    for number in 0..<8 { try model.perform(["add"], .string("another row, number \(number)")) }
    try model.perform(["add"], .string(one))
    #expect(model.stamp(2))
    try model.perform(["remove"], .string(other))
    #expect(!model.stamp(3))
    try model.perform(["remove"], .string(one))
    #expect(model.stamp(3))
    try model.perform(["add"], .string(other))
    #expect(model.stamp(4))
    // A reader that knows `one` learns that it is gone and that the other came, in the items and in the order.
    var patch = JSONWriter()
    model.writePatch(since: 2, to: &patch)
    for operation in [
      #"{"op":"remove","path":"/rows/items/\#(one)"}"#, #"{"op":"add","path":"/rows/items/\#(other)","#,
      #"{"op":"remove","path":"/rows/order/8"}"#, #""path":"/rows/order/8","value":"\#(other)""#,
    ] {
      #expect(
        patch.bytes.contains(Array(operation.utf8)), "\(operation): \(String(decoding: patch.bytes, as: UTF8.self))")
    }
  }
}
