// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@testable import EuripusServer

/// The methods that a path in a session takes, as the view model's surface declares it.
@Suite(.timeLimit(.minutes(30))) struct `Allow` {
  private final class Row: ViewModel {
    let text = Observable("")
    let clear = Observer<Void>()
    init() { clear.handle(self) { row, _ in row.text.value = "" } }
    static let surface = Surface<Row>("row", .twoWay("text", \.text), .action("clear", \.clear))
  }

  private final class Mark: ViewModel {
    let text = Observable("")
    let clear: Command<Void, Void>
    init() { clear = Command(text) { _, _, _ in } }
    static let surface = Surface<Mark>("mark", .value("text", \.text), .command("clear", \.clear))
  }

  private final class Whole: ViewModel {
    let title = Observable("")
    let note = Observable("")
    let pin = Observable("")
    let add = Observer<Int>()
    let save: Command<Void, Void>
    let row = Row()
    let other = Observable<Row?>(nil, cutOff: .never)
    let rows = KeyedList<Row>(window: 2)
    let mixed = KeyedList<any ViewModel>()
    let open = KeyedList<any ViewModel>()

    init() {
      save = Command(note) { _, _, _ in }
      add.handle(self) { $0.note.value += "\($1)" }
      rows.append(Row(), key: "a/b")
      mixed.append(Row(), key: "0")
    }

    static let surface = Surface<Whole>(
      "whole", .value("title", \.title), .twoWay("note", \.note), .secret("pin", \.pin), .action("add", \.add),
      .command("save", \.save), .nested("row", \.row), .nested("other", \.other),
      .list("rows", \.rows, hasWindow: true), .list("mixed", \.mixed, of: Row.self, Mark.self), .list("open", \.open))
  }

  private final class Fork: ViewModel {
    let parts = KeyedList<any ViewModel>()
    static let surface = Surface<Fork>("fork", .list("l", \.parts, of: Fork.self, Twin.self))
  }

  private final class Twin: ViewModel {
    let parts = KeyedList<any ViewModel>()
    let text = Observable("")
    static let surface = Surface<Twin>("twin", .list("l", \.parts, of: Fork.self, Twin.self), .twoWay("text", \.text))
  }

  private static let read = ["GET", "HEAD", "OPTIONS"]
  private static let set = ["GET", "HEAD", "PUT", "OPTIONS"]
  private static let act = ["POST", "OPTIONS"]
  private static let command = ["POST", "DELETE", "OPTIONS"]

  private let opened: Opened

  init() throws { opened = try Opened([.hosting { Whole() }], "whole") }

  @Test(arguments: [
    ("/state/title", read), ("/state/title/a", read), ("/state/note", set), ("/state/pin", set), ("/state/save", read),
    ("/state/save/executing", read), ("/state/row", read), ("/state/row/text", set), ("/state/other", read),
    ("/state/other/text", set), ("/state/rows", read), ("/state/rows/order", read), ("/state/rows/count", read),
    ("/state/rows/window", set), ("/state/rows/window/first", read), ("/state/rows/items", read),
    ("/state/rows/items/a~1b", read), ("/state/rows/items/a~1b/text", set), ("/state/mixed/window", read),
    ("/state/mixed/items/0", read), ("/actions/add", act), ("/actions/save", command), ("/actions/row/clear", act),
    ("/actions/other/clear", act), ("/actions/rows/items/a~1b/clear", act),
    // Both kinds of rows have these names: `text` is read-only in one, and `clear` is an action in one and a
    // command in the other.
    ("/state/mixed/items/0/text", set), ("/actions/mixed/items/0/clear", command),
    // The surface does not say which kinds of rows this list has.
    ("/state/open/items/0/text", set), ("/actions/open/items/0/clear", command),
    // The surface declares nothing at these paths.
    ("/state/nothing", set), ("/state/add", set), ("/actions/nothing", command), ("/actions/note", command),
    ("", ["GET", "HEAD", "DELETE", "OPTIONS"]), ("/actions", act), ("/changes", read),
  ])
  func `names the methods that the path takes, and no more`(path: String, methods: [String]) throws {
    let options = try opened.send("OPTIONS", path)
    #expect((options.status, options["Allow"]) == (204, methods.joined(separator: ", ")))
    let refused = try opened.send("PATCH", path)
    #expect((refused.status, refused["Allow"]) == (405, methods.joined(separator: ", ")))
    #expect(refused.text.contains("expected one of: \(methods.joined(separator: ", "))"))
  }

  @Test(arguments: [
    ("PUT", "/state/title", 403), ("PUT", "/state/save", 403), ("PUT", "/state/rows/order", 403),
    ("DELETE", "/actions/add", 422), ("POST", "/state/note", 405), ("GET", "/actions/add", 405),
  ])
  func `names no method that is refused in every state`(method: String, path: String, status: Int) throws {
    let response = try opened.send(method, path, method == "PUT" ? "[]" : nil)
    #expect(response.status == status, "\(response.text)")
    let allowed = try #require(try opened.send("OPTIONS", path)["Allow"])
    #expect(!allowed.split(separator: ", ").contains(method[...]), "\(allowed)")
  }

  @Test func `is found in time where a path leads through many kinds of rows, each within each`() throws {
    let client = try TestServer([.hosting { Fork() }]).client()
    let path = try client.open("fork") + "/state/" + String(repeating: "l/items/0/", count: 350)
    #expect(try client.request("OPTIONS", path + "text")["Allow"] == "GET, HEAD, PUT, OPTIONS")
    #expect(try client.request("PATCH", path + "l")["Allow"] == "GET, HEAD, OPTIONS")
  }

  @Test func `is that of the form of the path where no such view model is hosted`() throws {
    let (client, nowhere) = (opened.client, opened.url.replacing("/whole/", with: "/nothing/"))
    #expect(try client.request("OPTIONS", nowhere + "/state/note")["Allow"] == "GET, HEAD, PUT, OPTIONS")
    #expect(try client.request("PATCH", nowhere + "/actions/add")["Allow"] == "POST, DELETE, OPTIONS")
  }
}
