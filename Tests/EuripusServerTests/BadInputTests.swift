// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(30))) struct `Bad input` {
  struct Case: Sendable, CustomTestStringConvertible {
    let status: Int
    let problem: String
    let method: String
    let target: String
    let body: String?
    let fields: [(String, String)]
    var testDescription: String { "\(method) \(target.prefix(40)) \(body?.prefix(40) ?? "") -> \(status) \(problem)" }

    /// - Parameter request: The method, the target and the body, with spaces between them.
    init(_ status: Int, _ problem: String, _ request: String, _ fields: (String, String)...) {
      let words = request.split(separator: " ", maxSplits: 2).map(String.init)
      (self.status, self.problem, self.fields) = (status, problem, fields)
      (method, target, body) = (words[0], words[1], words.count > 2 ? words[2] : nil)
    }
  }

  /// The bad requests; `$S` stands for the session's URL.
  static let cases: [Case] =
    [
      "POST $S/actions/add \"one\"", "POST $S/actions/add 1.5", "POST $S/actions/add", "POST $S/actions/reset 1",
      "POST $S/actions/nope 1", "POST $S/actions/add/more 1", "PUT $S/state/nope \"x\"", "PUT $S/state/count \"x\"",
      "PUT $S/state/count", "POST /sessions/counter []", #"POST /sessions/counter {"auth":"password"}"#,
      #"POST /sessions/counter {"params":{"a":1}}"#,
    ].map { Case(422, "invalid-action", $0) }
    + [
      "POST /sessions/nope", "GET $S/", "GET /nope.html", "GET /../Package.swift", "GET /%2e%2e/Package.swift",
      "GET /x/..%2f..%2fPackage.swift", "GET /.hidden",
    ].map { Case(404, "not-found", $0) }
    + [
      Case(404, "no-session", "GET /sessions/counter/AAAAAAAAAAAAAAAAAAAAAA"),
      Case(404, "no-session", "GET $S", ("Cookie", "__Host-euripus=nope")),
      Case(404, "no-session", "GET $S", ("Cookie", "")),
      Case(404, "no-session", "GET $S/changes", ("Cookie", ""), ("Accept", "text/event-stream")),
      Case(400, "malformed-json", "POST $S/actions/add [1,]"),
      Case(415, "not-json", "POST $S/actions/add 1", ("Content-Type", "text/plain")),
      Case(415, "not-json", "PUT $S/state/count 1", ("Content-Type", "application/x-www-form-urlencoded")),
      Case(415, "not-json", "POST /sessions/counter", ("Content-Type", "multipart/form-data; boundary=x")),
      Case(415, "not-json", "POST $S/actions/reset", ("Content-Type", "Text/Plain ;charset=utf-8")),
      Case(403, "read-only", "PUT $S/state/label \"x\""),
      Case(405, "method-not-allowed", "DELETE $S/state/count"), Case(405, "method-not-allowed", "PUT /sessions"),
      Case(501, "not-implemented", "BREW /"), Case(400, "bad-request", "GET /%ff"),
      Case(400, "bad-request", "GET /", ("Host", "localhost:evil")),
      Case(421, "wrong-host", "GET /", ("Host", "evil.example")), Case(421, "wrong-host", "GET http://evil.example/"),
      Case(421, "wrong-host", "OPTIONS *", ("Host", "evil.example")),
      Case(403, "cross-site", "GET $S", ("Sec-Fetch-Site", "cross-site")),
      Case(403, "cross-site", "GET $S/changes", ("Sec-Fetch-Site", "cross-site"), ("Accept", "text/event-stream")),
      Case(403, "cross-site", "POST /sessions/counter", ("Origin", "http://evil.example")),
      Case(400, "bad-version", "GET $S/changes?since"),
    ]

  @Test(arguments: cases)
  func `gets a problem, and changes nothing`(_ bad: Case) throws {
    let opened = try Opened { $0.publicDirectory = publicDirectory }
    let before = try opened.get()
    let client = try opened.server.client(as: opened.client)
    let response = try client.request(
      bad.method, bad.target.replacing("$S", with: opened.url), bad.body, fields: bad.fields)
    #expect((response.status, response.problem) == (bad.status, bad.problem), "\(response.text)")
    #expect(try !response.string("detail").isEmpty)
    if bad.status == 405 { #expect(response["Allow"] != nil) }
    #expect((response["X-Content-Type-Options"], response["Cache-Control"]) == ("nosniff", "no-store"))
    #expect(try opened.get().text == before.text)
    #expect(opened.server.sessionCount == 1)
  }

  @Test func `is told by its byte`() throws {
    let opened = try Opened()
    #expect(try opened.send("POST", "/actions/add", "[1,]").json?["offset"] == 3)
  }
}
