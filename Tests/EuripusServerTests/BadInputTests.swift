// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Bad input` {
  struct Case: Sendable, CustomTestStringConvertible {
    var method = "POST"
    var target: String
    var body: String?
    var fields: [(String, String)] = []
    var status: Int
    var problem: String
    var testDescription: String { "\(method) \(target.prefix(40)) \(body?.prefix(40) ?? "") -> \(status) \(problem)" }
  }

  /// The bad requests; `$S` stands for the session's URL.
  static let cases: [Case] = [
    Case(target: "/sessions/nope", status: 404, problem: "not-found"),
    Case(method: "GET", target: "/sessions/counter/AAAAAAAAAAAAAAAAAAAAAA", status: 404, problem: "no-session"),
    Case(method: "GET", target: "$S", fields: [("Cookie", "__Host-euripus=nope")], status: 404, problem: "no-session"),
    Case(method: "GET", target: "$S", fields: [("Cookie", "")], status: 404, problem: "no-session"),
    Case(target: "$S/actions/add", body: "[1,]", status: 400, problem: "malformed-json"),
    Case(target: "$S/actions/add", body: "\"one\"", status: 422, problem: "invalid-action"),
    Case(target: "$S/actions/add", body: "1.5", status: 422, problem: "invalid-action"),
    Case(target: "$S/actions/add", status: 422, problem: "invalid-action"),
    Case(target: "$S/actions/reset", body: "1", status: 422, problem: "invalid-action"),
    Case(target: "$S/actions/nope", body: "1", status: 422, problem: "invalid-action"),
    Case(target: "$S/actions/add/more", body: "1", status: 422, problem: "invalid-action"),
    Case(
      target: "$S/actions/add", body: "1", fields: [("Content-Type", "text/plain")], status: 415, problem: "not-json"),
    Case(
      target: "$S/actions/add", body: "1", fields: [("Content-Type", "application/x-www-form-urlencoded")], status: 415,
      problem: "not-json"),
    Case(
      target: "/sessions/counter", fields: [("Content-Type", "multipart/form-data; boundary=x")], status: 415,
      problem: "not-json"),
    Case(
      target: "$S/actions/reset", fields: [("Content-Type", "Text/Plain ;charset=utf-8")], status: 415,
      problem: "not-json"),
    Case(method: "PUT", target: "$S/state/label", body: "\"x\"", status: 403, problem: "read-only"),
    Case(method: "PUT", target: "$S/state/nope", body: "\"x\"", status: 422, problem: "invalid-action"),
    Case(method: "PUT", target: "$S/state/count", body: "\"x\"", status: 422, problem: "invalid-action"),
    Case(method: "PUT", target: "$S/state/count", status: 422, problem: "invalid-action"),
    Case(method: "DELETE", target: "$S/state/count", status: 405, problem: "method-not-allowed"),
    Case(method: "BREW", target: "/", status: 501, problem: "not-implemented"),
    Case(method: "GET", target: "$S/", status: 404, problem: "not-found"),
    Case(method: "PUT", target: "/sessions", status: 405, problem: "method-not-allowed"),
    Case(method: "GET", target: "/nope.html", status: 404, problem: "not-found"),
    Case(method: "GET", target: "/../Package.swift", status: 404, problem: "not-found"),
    Case(method: "GET", target: "/%2e%2e/Package.swift", status: 404, problem: "not-found"),
    Case(method: "GET", target: "/x/..%2f..%2fPackage.swift", status: 404, problem: "not-found"),
    Case(method: "GET", target: "/.hidden", status: 404, problem: "not-found"),
    Case(method: "GET", target: "/%ff", status: 400, problem: "bad-request"),
    Case(method: "GET", target: "/", fields: [("Host", "evil.example")], status: 421, problem: "wrong-host"),
    Case(method: "GET", target: "$S", fields: [("Sec-Fetch-Site", "cross-site")], status: 403, problem: "cross-site"),
    Case(target: "/sessions/counter", fields: [("Origin", "http://evil.example")], status: 403, problem: "cross-site"),
    Case(method: "GET", target: "$S/changes?since", status: 400, problem: "bad-version"),
    Case(method: "OPTIONS", target: "*", fields: [("Host", "evil.example")], status: 421, problem: "wrong-host"),
    Case(method: "GET", target: "/", fields: [("Host", "localhost:evil")], status: 400, problem: "bad-request"),
    Case(method: "GET", target: "http://evil.example/", status: 421, problem: "wrong-host"),
    Case(target: "/sessions/counter", body: "[]", status: 422, problem: "invalid-action"),
    Case(target: "/sessions/counter", body: #"{"auth":"password"}"#, status: 422, problem: "invalid-action"),
    Case(target: "/sessions/counter", body: #"{"params":{"a":1}}"#, status: 422, problem: "invalid-action"),
  ]

  @Test(arguments: cases)
  func `gets a problem, and changes nothing`(_ bad: Case) throws {
    let opened = try Opened { $0.publicDirectory = publicDirectory }
    let before = try opened.client.request("GET", opened.url)
    let client = try TestClient(port: opened.server.port)
    client.cookie = opened.client.cookie
    let response = try client.request(
      bad.method, bad.target.replacing("$S", with: opened.url), bad.body, fields: bad.fields)
    #expect((response.status, response.problem) == (bad.status, bad.problem), "\(response.text)")
    guard case .string(let detail)? = response.json?["detail"] else {
      Issue.record("expected a detail, got \(response.text)")
      return
    }
    #expect(!detail.isEmpty)
    if bad.status == 405 { #expect(response["Allow"] != nil) }
    #expect((response["X-Content-Type-Options"], response["Cache-Control"]) == ("nosniff", "no-store"))
    #expect(try opened.client.request("GET", opened.url).text == before.text)
    #expect(opened.server.sessionCount == 1)
  }

  @Test func `a disabled action is refused until it is enabled`() throws {
    let opened = try Opened()
    try opened.client.request("POST", opened.url + "/actions/add", "1")
    try opened.client.request("POST", opened.url + "/actions/open", "false")
    let refused = try opened.client.request("POST", opened.url + "/actions/reset")
    #expect((refused.status, refused.problem) == (409, "action-disabled"))
    #expect(try opened.client.request("GET", opened.url + "/state/count").text == "1")
    try opened.client.request("POST", opened.url + "/actions/open", "true")
    #expect(try opened.client.request("POST", opened.url + "/actions/reset").status == 200)
  }

  @Test func `malformed JSON is shown by its byte`() throws {
    let opened = try Opened()
    let response = try opened.client.request("POST", opened.url + "/actions/add", "[1,]")
    #expect(response.json?["offset"] == 3)
  }

  @Test func `an unknown action says which there are, a wrong type which is expected`() throws {
    let opened = try Opened()
    let unknown = try opened.client.request("POST", opened.url + "/actions/signin")
    #expect(
      unknown.text.contains(
        "no action 'signin' on counter; expected one of: add, circle, fail, open, parse, refuse, replay, reset"))
    let wrong = try opened.client.request("POST", opened.url + "/actions/add", "\"one\"")
    #expect(wrong.text.contains("expected integer, got string"))
  }

  @Test func `a body at the limit is taken, one past it is not`() throws {
    let opened = try Opened()
    let digits = "1" + String(repeating: " ", count: 65_535)
    #expect(try opened.client.request("POST", opened.url + "/actions/add", digits).status == 200)
    #expect(try opened.client.request("POST", opened.url + "/actions/add", digits + " ").status == 413)
  }
}
