// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// A page with two texts that people write, a secret, and rows.
private final class Letter: ViewModel {
  final class Line: ViewModel {
    @Observed var text = ""
    static let surface = Surface<Line>("line", .twoWay("text", \.$text))
  }

  @Observed var title = "Letter"
  @Observed var body = ""
  let code = Observable("")
  @Observed var isOpen = true
  let lines = KeyedList<Line>()

  func close() { isOpen = false }
  func anew() { lines.update([String]()) { _ in Line() } }
  func begin() { lines.update(["1"]) { _ in Line() } }

  static let surface = Surface<Letter>(
    "letter", .twoWay("title", \.$title), .twoWay("body", \.$body, when: \.$isOpen), .secret("code", \.code),
    .list("lines", \.lines), .action("close", Letter.close), .action("anew", Letter.anew),
    .action("begin", Letter.begin))
}

/// Two people in one value (PROTOCOL §3).
@Suite(.timeLimit(.minutes(30))) struct `A condition on a value` {
  let opened: Opened
  /// The version that the client opened.
  let first: String

  init() throws {
    opened = try Opened([.hosting { Letter() }], "letter")
    first = try opened.version
  }

  private func put(_ path: String, _ text: String, of version: String, key: String? = nil) throws
    -> TestClient.Response
  {
    let keys = key.map { [("Idempotency-Key", $0)] } ?? []
    return try opened.send("PUT", "/state/\(path)", "\"\(text)\"", [("If-Match", "\"\(version)\"")] + keys)
  }

  @Test func `is met as long as this value is the same, whatever else has changed`() throws {
    try opened.send("PUT", "/state/body", #""Dear Anna""#)
    #expect(try put("title", "A letter", of: first).status == 200)
  }

  @Test func `fails once somebody has changed the value, and the value and the version are told`() throws {
    let bobs = try opened.send("PUT", "/state/title", #""Bob's""#)
    let refused = try put("title", "Anna's", of: first)
    #expect((refused.status, refused.problem, refused["ETag"]) == (412, "value-changed", bobs["ETag"]))
    #expect(refused.json?["value"] == "Bob's")
    #expect(try opened.get("/state/title").json == "Bob's")
    let present = try #require(refused["ETag"]?.trimmingQuotes)
    #expect(try put("title", "Anna's", of: present).status == 200)
  }

  @Test func `fails after a change of one's own as well, unless the answer's version is named`() throws {
    let own = try #require(try put("title", "A", of: first)["ETag"]?.trimmingQuotes)
    #expect(try put("title", "AB", of: first).problem == "value-changed")
    #expect(try put("title", "AB", of: own).status == 200)
  }

  @Test func `is not met by a version of another epoch, of the future, or by what is no version`() throws {
    let revision = try #require(first.split(separator: ".").last)
    for version in ["other.\(revision)", "\(first)9", "x"] {
      #expect(try put("title", "A", of: version).problem == "value-changed", "\(version)")
    }
    #expect(try opened.send("PUT", "/state/title", #""A""#, [("If-Match", "*")]).status == 200)
  }

  @Test func `is decided once: a repeated request gets the same answer`() throws {
    try opened.send("PUT", "/state/title", #""Bob's""#)
    let refused = try put("title", "Anna's", of: first, key: "tab/1")
    let present = try #require(refused["ETag"]?.trimmingQuotes)
    let again = try put("title", "Anna's", of: present, key: "tab/1")
    #expect((again.status, again.text) == (412, refused.text))
    #expect(try put("title", "Anna's", of: present, key: "tab/2").status == 200)
  }

  @Test func `tells nothing of a secret`() throws {
    try opened.send("PUT", "/state/code", #""1234""#)
    let refused = try put("code", "5678", of: first)
    #expect(refused.problem == "value-changed")
    #expect(!refused.text.contains("1234") && !refused.text.contains("5678"))
  }

  @Test func `comes before the view model's own condition, and a value that there is not has the state's version`()
    throws
  {
    try opened.send("PUT", "/state/body", #""Dear Anna""#)
    let closed = try #require(try opened.send("POST", "/actions/close")["ETag"]?.trimmingQuotes)
    #expect(try put("body", "x", of: first).problem == "value-changed")
    #expect(try put("body", "x", of: closed).problem == "action-disabled")
    #expect(try put("nothing", "x", of: first).problem == "value-changed")
    #expect(try put("nothing", "x", of: closed).problem == "invalid-action")
  }

  @Test func `on a value of a row is not met by another row that came under the same key`() throws {
    let begun = try #require(try opened.send("POST", "/actions/begin")["ETag"]?.trimmingQuotes)
    #expect(try put("lines/items/1/text", "A", of: begun).status == 200)
    let held = try opened.version
    try opened.send("POST", "/actions/anew")
    try opened.send("POST", "/actions/begin")
    #expect(try put("lines/items/1/text", "B", of: held).problem == "value-changed")
  }

  @Test func `in an entry refuses its batch, and each such entry is named with the value that there is`() throws {
    try opened.send("PUT", "/state/title", #""Bob's""#)
    let entries = """
      [{"set":"/body","value":"x","ifMatch":"\(first)"},{"set":"/title","value":"Anna's","ifMatch":"\(first)"},
      {"set":"/code","value":"y"}]
      """
    let refused = try opened.send("POST", "/actions", entries)
    #expect((refused.status, refused.problem) == (412, "value-changed"))
    #expect(refused.errors.count == 1)
    #expect((refused.errors.first?["pointer"], refused.errors.first?["value"]) == ("/1/ifMatch", "Bob's"))
    #expect(try opened.get("/state/body").json == "")
  }

  @Test func `in an entry does not see what entries before it have set`() throws {
    let entries = """
      [{"set":"/title","value":"A"},{"set":"/title","value":"AB","ifMatch":"\\"\(first)\\""}]
      """
    #expect(try opened.send("POST", "/actions", entries).status == 200)
    #expect(try opened.get("/state/title").json == "AB")
  }

  @Test func `in an entry has to be a version, and only values have one`() throws {
    for (entry, pointer) in [
      (#"{"set":"/title","value":"A","ifMatch":7}"#, "/ifMatch"),
      (#"{"set":"/title","value":"A","ifMatch":"*"}"#, "/ifMatch"),
      (#"{"do":"/close","ifMatch":"k7.1"}"#, "/ifMatch"),
    ] {
      let refused = try opened.send("POST", "/actions", entry)
      #expect((refused.status, refused.problem) == (422, "invalid-action"), "\(entry)")
      #expect(refused.errors.first?["pointer"] == .string(pointer), "\(entry)")
    }
  }
}

extension TestClient.Response {
  fileprivate var errors: [JSON] { if case .array(let errors)? = json?["errors"] { errors } else { [] } }
}

extension String {
  fileprivate var trimmingQuotes: String { String(dropFirst().dropLast()) }
}
