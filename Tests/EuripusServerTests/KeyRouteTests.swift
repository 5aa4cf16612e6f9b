// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// A session and a client that sends it requests with keys.
@Suite(.timeLimit(.minutes(30))) struct `Requests with a key` {
  let opened: Opened
  var client: TestClient { opened.client }
  var url: String { opened.url }

  init() throws { opened = try Opened() }

  @discardableResult
  func send(_ key: String, _ method: String = "POST", _ path: String = "/actions/add", _ body: String? = "1") throws
    -> TestClient.Response
  {
    try opened.send(method, path, body, [("Idempotency-Key", key)])
  }

  var count: String { get throws { try opened.get("/state/count").text } }

  @Test(arguments: ["a", "tab/1"])
  func `are applied once, and answered the same each time`(key: String) throws {
    let first = try send(key)
    #expect(first.json?["patch"] == [["op": "replace", "path": "/count", "value": 1]])
    for _ in 0..<3 {
      let again = try send(key)
      #expect((again.status, again.text, again["ETag"]) == (200, first.text, first["ETag"]))
      for name in ["Content-Type", "Cache-Control"] { #expect(again[name] == first[name] && first[name] != nil) }
    }
    #expect(try count == "1")
  }

  @Test func `may be any change of a session`() throws {
    for (key, method, path, body) in [
      ("a", "PUT", "/state/count", "7"), ("b", "POST", "/actions/reset", nil), ("tab/1", "PUT", "/state/key", "\"s\""),
      ("c", "POST", "/actions", #"[{"do":"/add","value":1}]"#),
    ] as [(String, String, String, String?)] {
      let first = try send(key, method, path, body)
      #expect(first.status == 200, "\(method) \(path)")
      try send("between-\(key.prefix(1))")
      #expect(try send(key, method, path, body).text == first.text, "\(method) \(path)")
    }
    #expect(try count == "4")
  }

  @Test func `that are numbered are done in order: an earlier one is known as decided, the next is expected`() throws {
    for number in 1...3 { #expect(try send("tab/\(number)").status == 200) }
    let old = try send("tab/1")
    #expect(old.json == ["replayed": true, "version": .string(try opened.version)])
    #expect(old["ETag"] == "\"\(try opened.version)\"")
    let early = try send("tab/5")
    #expect((early.status, early.problem, early.json?["expected"]) == (409, "out-of-order", 4))
    for number in 4...5 { #expect(try send("tab/\(number)").status == 200) }
    #expect(try count == "5")
  }

  @Test(arguments: ["a", "tab/1"])
  func `that are others under the same key are refused`(key: String) throws {
    #expect(try send(key).status == 200)
    for (method, path, body) in [
      ("POST", "/actions/add", "2"), ("POST", "/actions/reset", "1"), ("PUT", "/state/count", "1"),
      ("POST", "/actions", #"[{"do":"/add","value":1}]"#),
    ] {
      let refused = try send(key, method, path, body)
      #expect((refused.status, refused.problem) == (422, "key-reused"), "\(method) \(path)")
    }
    #expect(try send(key, "POST", "/actions/%61dd").status == 200)
    #expect(try count == "1")
  }

  @Test func `that are refused stay refused, even if the state would allow them`() throws {
    #expect(try opened.send("POST", "/actions/open", "false").status == 200)
    let refused = try send("a", "POST", "/actions/reset", nil)
    #expect((refused.status, refused.problem) == (409, "action-disabled"))
    #expect(try opened.send("POST", "/actions/open", "true").status == 200)
    let again = try send("a", "POST", "/actions/reset", nil)
    #expect((again.status, again.text, again["Content-Type"]) == (409, refused.text, refused["Content-Type"]))
    #expect(again["Cache-Control"] == "no-store")
    #expect(try send("b", "POST", "/actions/reset", nil).status == 200)
  }

  @Test func `use up their number by whatever the session decides`() throws {
    let moved = try opened.add(1, [("Idempotency-Key", "tab/1"), ("If-Match", "\"x.1\"")])
    #expect(moved.problem == "version-moved")
    for (number, method, path, body, problem) in [
      (2, "POST", "/actions/nope", "1", "invalid-action"), (3, "POST", "/actions/add", "\"x\"", "invalid-action"),
      (4, "PUT", "/state/label", "\"x\"", "read-only"), (5, "POST", "/actions/fail", nil, "internal"),
      (6, "POST", "/actions/add", "{bad", "malformed-json"), (7, "POST", "/actions/add?since=x", "1", "bad-version"),
      (8, "POST", "/actions", #"[{"do":"/nope"},{}]"#, "invalid-action"),
    ] as [(Int, String, String, String?, String)] {
      let first = try send("tab/\(number)", method, path, body)
      #expect(first.problem == problem)
      let again = try send("tab/\(number)", method, path, body)
      #expect((again.status, again.text) == (first.status, first.text), "\(problem)")
    }
    // The repeated answer is the first one, so the error that the view model threw was logged once, with one id.
    #expect(opened.server.log.count == 1)
    #expect(try send("tab/9").status == 200)
    #expect(try send("tab/9").status == 200)
    #expect(try count == "1")
  }

  @Test func `are answered again with the version that had moved on`() throws {
    let fields = [("Idempotency-Key", "a"), ("If-Match", "\"x.1\"")]
    let first = try opened.add(1, fields)
    try send("b")
    let again = try opened.add(1, fields)
    #expect((again.text, again["ETag"]) == (first.text, first["ETag"]))
    #expect(again["ETag"] != nil)
  }

  @Test(arguments: ["", "a b", "tab/0", "/1", String(repeating: "k", count: 256)])
  func `that is malformed, or comes twice, are refused, and nothing is done`(key: String) throws {
    let refused = try send(key)
    #expect((refused.status, refused.problem) == (400, "bad-request"))
    let twice = [("Idempotency-Key", "a"), ("Idempotency-Key", "a")]
    #expect(try opened.add(1, twice).problem == "bad-request")
    #expect(try count == "0")
  }

  @Test func `that close a session are answered as the first time, and nothing else is`() throws {
    #expect(try send("a", "DELETE", "", nil).status == 204)
    #expect(try send("a", "DELETE", "", nil).status == 204)
    #expect(try send("b", "DELETE", "", nil).problem == "session-closed")
    #expect(try client.request("DELETE", url).problem == "session-closed")
    #expect(try send("a", "POST", "/actions/add", "1").problem == "session-closed")
  }

  @Test func `that open a session open one, for a client that is known`() throws {
    let fields = [("Idempotency-Key", "opening/1")]
    let first = try client.request("POST", "/sessions/counter", fields: fields)
    #expect(first.status == 201)
    let again = try client.request("POST", "/sessions/counter", fields: fields)
    #expect((again.status, again.text, again["Location"]) == (201, first.text, first["Location"]))
    #expect(again["Set-Cookie"] == nil)
    #expect(opened.server.sessionCount == 2)
    let other = try client.request("POST", "/sessions/counter", "{}", fields: fields)
    #expect(other.problem == "key-reused")
    #expect(try client.request("DELETE", first["Location"] ?? "").status == 204)
    #expect(try client.request("POST", "/sessions/counter", fields: fields).problem == "session-closed")
    // Another client's key leads nobody to that client's session.
    let stranger = try opened.server.client()
    let own = try stranger.request("POST", "/sessions/counter", fields: fields)
    #expect(own.status == 201 && own["Location"] != first["Location"])
  }
}
