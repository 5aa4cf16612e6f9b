// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// `If-Match` and `If-None-Match` of each resource and method, against the present tag (RFC 9110 §13).
@Suite(.timeLimit(.minutes(30))) struct `A condition` {
  /// The values of the two fields; `V` stands for the present tag without its quotation marks.
  struct Case: CustomTestStringConvertible, Sendable {
    var match: String?
    var noneMatch: String?
    /// The status of the answer to a reader; `change` is that of the answer to a change.
    let read: Int
    let change: Int

    var testDescription: String { "If-Match: \(match ?? "-"), If-None-Match: \(noneMatch ?? "-")" }

    func fields(_ tag: String) -> [(String, String)] {
      let tag = String(tag.dropFirst().dropLast())
      return [("If-Match", match), ("If-None-Match", noneMatch)].compactMap { name, value in
        value.map { (name, $0.replacing("V", with: tag)) }
      }
    }
  }

  static let cases = [
    Case(match: "\"V\"", read: 200, change: 200),
    Case(match: "\"x.1\", \"V\"", read: 200, change: 200),
    Case(match: "*", read: 200, change: 200),
    Case(match: "\"x.1\"", read: 412, change: 412),
    Case(match: "V", read: 412, change: 412),
    // `If-Match` compares strongly: equal weak tags may stand for different bytes (§8.8.3.2).
    Case(match: "W/\"V\"", read: 412, change: 412),
    Case(noneMatch: "\"V\"", read: 304, change: 412),
    Case(noneMatch: "\"x.1\", \"V\"", read: 304, change: 412),
    Case(noneMatch: "W/\"V\"", read: 304, change: 412),
    Case(noneMatch: "*", read: 304, change: 412),
    Case(noneMatch: "\"x.1\"", read: 200, change: 200),
    // If-Match comes first (§13.2.2).
    Case(match: "\"x.1\"", noneMatch: "\"V\"", read: 412, change: 412),
    Case(match: "\"V\"", noneMatch: "\"V\"", read: 304, change: 412),
    Case(match: "\"V\"", noneMatch: "\"x.1\"", read: 200, change: 200),
  ]

  @Test(arguments: cases)
  func `on a read is met, or is answered that nothing is new, or fails`(_ example: Case) throws {
    let opened = try Opened { $0.publicDirectory = publicDirectory }
    let since = "/changes?since=other.1"
    for target in [opened.url, opened.url + "/state/count", opened.url + "/changes", opened.url + since, "/login.html"]
    {
      let tag = try #require(try opened.client.request("GET", target)["ETag"])
      let fields = example.fields(tag)
      let response = try opened.client.request("GET", target, fields: fields)
      #expect(response.status == example.read, "GET \(target)")
      #expect(response["ETag"] == tag, "GET \(target)")
      if example.read == 412 { #expect(response.problem == "version-moved") }
      if example.read == 304 { #expect(response.body.isEmpty && response["Cache-Control"] != nil) }
      let head = try opened.client.request("HEAD", target, fields: fields)
      #expect(head.status == example.read, "HEAD \(target)")
      #expect(Self.comparable(head) == Self.comparable(response), "HEAD \(target)")
    }
  }

  @Test(arguments: cases)
  func `on a change is met, or it fails and nothing has happened`(_ example: Case) throws {
    for (method, path, body) in [
      ("PUT", "/state/count", "7"), ("POST", "/actions/add", "7"), ("POST", "/actions", #"{"do":"/add","value":7}"#),
      ("DELETE", "/actions/fetch", nil),
      ("POST", "/leaving", nil), ("DELETE", "", nil),
    ] {
      let opened = try Opened([.hosting { Fetcher() }], "fetcher")
      let tag = try #require(try opened.get()["ETag"])
      let response = try opened.send(method, path, body, example.fields(tag))
      let done = path == "" || path == "/leaving" ? 204 : 200
      #expect(response.status == (example.change == 200 ? done : 412), "\(method) \(path)")
      guard response.status == 412 else { continue }
      // That of a value which is set is about this value alone.
      let isOfValue =
        method == "PUT" && (example.match.map { $0 != "*" && !$0.contains("\"V\"") || $0.hasPrefix("W") } ?? false)
      #expect((response.problem, response["ETag"]) == (isOfValue ? "value-changed" : "version-moved", tag))
      let state = try opened.get()
      #expect((state["ETag"], state.json?["state"]?["count"]) == (tag, 0))
    }
  }

  @Test func `on a tag stands for the same bytes, also after an equal text of other bytes is set`() throws {
    let opened = try Opened([.hosting { Page() }], "page")
    #expect(try opened.send("PUT", "/state/text", "\"\u{e9}\"").status == 200)
    let before = try opened.get()
    // These are the same characters in other bytes, by Unicode's canonical equivalence.
    #expect(try opened.send("PUT", "/state/text", "\"e\u{301}\"").json?["patch"] == [])
    let after = try opened.get()
    #expect((after["ETag"], after.body) == (before["ETag"], before.body))
  }

  @Test func `on a resource without a tag is met by anything, or by nothing`() throws {
    let client = try TestServer([.hosting { Counter() }]).client()
    for target in ["/healthz", "/readyz", "/models"] {
      #expect(try client.request("GET", target, fields: [("If-Match", "*")]).status == 200)
      #expect(try client.request("GET", target, fields: [("If-Match", "\"x\"")]).status == 412)
      #expect(try client.request("GET", target, fields: [("If-None-Match", "\"x\"")]).status == 200)
      #expect(try client.request("GET", target, fields: [("If-None-Match", "*")]).status == 304)
    }
  }

  @Test func `on opening a session fails if something would have to be there`() throws {
    let server = try TestServer([.hosting { Counter() }])
    let client = try server.client()
    for tag in ["*", "\"k7.1\""] {
      let response = try client.request("POST", "/sessions/counter", fields: [("If-Match", tag)])
      #expect(response.problem == "version-moved")
      #expect(response["ETag"] == nil)
    }
    #expect(server.sessionCount == 0)
    #expect(try client.request("POST", "/sessions/counter", fields: [("If-None-Match", "*")]).status == 201)
  }

  @Test func `does not count where the answer would be an error anyway, and for OPTIONS`() throws {
    let opened = try Opened { $0.publicDirectory = publicDirectory }
    let unmet = [("If-Match", "\"x.1\"")]
    #expect(try opened.get("/state/nothing", unmet).problem == "not-found")
    #expect(try opened.client.request("GET", "/nothing.html", fields: unmet).problem == "not-found")
    #expect(
      try opened.client.request("POST", "/sessions/nothing", fields: [("If-None-Match", "*")]).problem == "not-found")
    #expect(try opened.client.request("PUT", opened.url, fields: unmet).problem == "method-not-allowed")
    for target in [opened.url, opened.url + "/actions/add", "/login.html", "*"] {
      #expect(try opened.client.request("OPTIONS", target, fields: unmet).status == 204)
    }
  }

  @Test func `on a poll is looked at before it waits`() throws {
    let opened = try Opened()
    let version = try opened.version
    let target = opened.url + "/changes?since=\(version)"
    let wait = ("Prefer", "wait=55")
    let unmet = try opened.client.request("GET", target, fields: [wait, ("If-Match", "\"x.1\"")])
    #expect((unmet.status, unmet["ETag"]) == (412, "\"\(version)\""))
    // No version is newer than `since`: there is no frame that the condition could be about.
    let held = [("If-None-Match", "\"\(version)\"")]
    #expect(try opened.client.request("GET", target, fields: held).status == 204)
    try opened.add()
    let known = [("If-None-Match", "\"\(try opened.version)\""), wait]
    let response = try opened.client.request("GET", target, fields: known)
    #expect((response.status, response["Vary"]) == (304, "Accept, Prefer"))
  }

  @Test func `that is answered with 304 gets the length of the representation`() throws {
    let opened = try Opened {
      $0.publicDirectory = publicDirectory
      $0.letTimePass()
    }
    for target in [opened.url, opened.url + "/state/count", "/login.html"] {
      let response = try opened.client.request("GET", target)
      let tag = try #require(response["ETag"])
      for wait in [[], [("Prefer", "wait=1")]] {
        let known = try opened.client.request("GET", target, fields: [("If-None-Match", tag)] + wait)
        #expect((known.status, known["Content-Length"]) == (304, "\(response.body.count)"), "\(target)")
        #expect(known["Cache-Control"] == response["Cache-Control"])
      }
    }
  }

  /// The fields of a response that HEAD and GET have in common.
  private static func comparable(_ response: TestClient.Response) -> [String] {
    response.fields.filter { $0.name != "Date" }.map { "\($0.name): \($0.value)" }
  }
}
