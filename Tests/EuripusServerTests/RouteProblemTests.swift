// SPDX-License-Identifier: MIT
import EuripusTesting
import Testing

@testable import Euripus
@testable import EuripusServer

/// Refused requests, for each route and each reason, against the problems in the table of routes.
@Suite(.timeLimit(.minutes(30))) struct `The problems of a route` {
  /// A request in a session. Its path begins behind the session's URL.
  struct Request {
    var path: String
    var body: String?
    var fields: [(String, String)] = []
  }

  /// A change to a good request, for which the server refuses it.
  struct Twist: Sendable {
    let name: String
    let apply: @Sendable (inout Request) -> Void

    init(_ name: String, _ apply: @escaping @Sendable (inout Request) -> Void) {
      self.name = name
      self.apply = apply
    }
  }

  /// A request that succeeds, for each route in a session.
  static let requests: [String: Request] = [
    "read": Request(path: ""), "close": Request(path: ""), "value": Request(path: "/state/count"),
    "set": Request(path: "/state/count", body: "1"), "perform": Request(path: "/actions/add", body: "1"),
    "cancel": Request(path: "/actions/work"),
    "performMany": Request(path: "/actions", body: #"[{"do":"/add","value":1}]"#), "changes": Request(path: "/changes"),
    "leave": Request(path: "/leaving"), "address": Request(path: "/address"),
    "goTo": Request(path: "/address", body: #""/counter.html""#),
  ]

  static let long = String(repeating: "x", count: 70_000)

  static let twists: [Twist] = [
    Twist("none") { _ in },
    Twist("a version that is none") { $0.path += "?since=x" },
    Twist("a condition") { $0.fields.append(("If-Match", "\"x.1\"")) },
    Twist("another condition") { $0.fields.append(("If-None-Match", "*")) },
    Twist("a number out of order") { $0.fields.append(("Idempotency-Key", "tab/2")) },
    Twist("another's key") { $0.fields.append(("Idempotency-Key", "used")) },
    Twist("a malformed key") { $0.fields.append(("Idempotency-Key", "")) },
    Twist("a credential of a scheme") { $0.fields.append(("Authorization", "Basic x")) },
    Twist("no cookie") { $0.fields.append(("Cookie", "a=b")) },
    Twist("no JSON") { $0.body = $0.body.map { _ in "[1," } },
    Twist("another type") { $0.body = $0.body.map { _ in "true" } },
    Twist("another media type") { $0.fields.append(("Content-Type", "text/plain")) },
    Twist("no such place") {
      $0.path = $0.path.replacing("count", with: "nope").replacing("actions/add", with: "actions/nope")
    },
    Twist("read-only") { $0.path = $0.path.replacing("count", with: "label") },
    Twist("disabled") { $0.path = $0.path.replacing("actions/add", with: "actions/reset") },
    Twist("read-only, of many") { $0.body = $0.body.map { $0.first == "[" ? #"[{"set":"/label","value":"x"}]"# : $0 } },
    Twist("disabled, of many") { $0.body = $0.body.map { $0.first == "[" ? #"[{"do":"/reset"}]"# : $0 } },
    Twist("another representation") { $0.fields.append(("Accept", "image/png")) },
    Twist("another host") { $0.fields.append(("Host", "evil.example")) },
    Twist("another origin") { $0.fields.append(("Origin", "null")) },
    Twist("an expectation") { $0.fields.append(("Expect", "more")) },
    Twist("a long target") { $0.path += "?" + long.prefix(5_000) },
    Twist("long fields") { $0.fields.append(("X", String(long.prefix(6_200)))) },
    Twist("a long body") { $0.body = $0.body.map { _ in long } },
    Twist("a coding") { $0.fields.append(("Transfer-Encoding", "gzip")) },
  ]

  private static func isKnown(_ problem: String?, _ route: Route) -> Bool {
    guard let kind = problem.flatMap({ Problem.Kind(rawValue: $0) }) else { return false }
    return (route.problems + Problem.Kind.anywhere).contains(kind)
  }

  @Test func `in a session are in its row, for each fault of a request`() throws {
    let opened = try Opened { $0.sessions.maxSessionsPerClient = 1_000 }
    var met: Set<String> = []
    for route in RouteTable.all.routes {
      guard let request = Self.requests[route.name] else { continue }
      for twist in Self.twists {
        let name = twist.name
        let url = try opened.client.open("counter")
        // This uses up the key "used", and disables the action `reset`.
        try opened.client.request("POST", url + "/actions/open", "false", fields: [("Idempotency-Key", "used")])
        var request = request
        twist.apply(&request)
        // The server ends the connection after some of these requests, so each has its own.
        let client = try opened.server.client(as: opened.client)
        let answer = try client.request(
          route.method.rawValue, url + request.path, request.body, fields: request.fields)
        guard answer.status >= 400 else {
          let isListed = route.answers.contains { $0.status == answer.status }
          #expect(isListed, "\(route.name), \(name): \(answer.status) is not in the row")
          continue
        }
        let problem = try #require(answer.problem, "\(route.name), \(name): \(answer.text)")
        #expect(Self.isKnown(problem, route), "\(route.name), \(name): \(problem) is not in the row")
        met.insert(problem)
      }
    }
    // The twists have led to each of these problems.
    let expected: Set<String> = [
      "bad-version", "version-moved", "out-of-order", "key-reused", "bad-request", "bad-credential", "no-session",
      "malformed-json", "invalid-action", "not-json", "not-found", "read-only", "action-disabled", "not-acceptable",
      "wrong-host", "cross-site", "expectation-failed", "target-too-long", "headers-too-large", "body-too-large",
      "not-implemented",
    ]
    #expect(expected.subtracting(met).isEmpty, "never met: \(expected.subtracting(met))")
  }

  @Test func `outside of sessions are in its row, and the answers to conditions too`() throws {
    let opened = try Opened { $0.publicDirectory = publicDirectory }
    let fixed = RouteTable.all.routes.filter {
      Self.requests[$0.name] == nil && $0.method == .get && !$0.path.isInSession
    }
    #expect(Set(fixed.map(\.name)).isSuperset(of: ["file", "models", "description", "health", "ready", "metrics"]))
    for route in fixed {
      let path = route.name == "file" ? "/" : `A server's routes`.filled(route.path)
      let hasEntityTag = RouteTable.all.resources.contains { $0.template == route.path && $0.hasEntityTag }
      for (field, status) in [("", 200), ("If-None-Match", 304), ("If-Match", 412)] {
        let fields = field.isEmpty ? [] : [(field, field == "If-Match" ? "\"x.1\"" : "*")]
        let answer = try opened.client.request("GET", path, fields: fields)
        #expect(answer.status == status, "\(route.name), \(field): \(answer.text)")
        #expect((answer["ETag"] != nil) == hasEntityTag, "\(route.name), \(field)")
        if status == 412 {
          #expect(
            route.problems.contains(.versionMoved) && route.parameters.contains(.ifMatch), "\(route.name)")
        } else {
          let row = try #require(route.answers.first { $0.status == status }, "\(route.name): \(status)")
          #expect(row.fields.contains(.etag) == (answer["ETag"] != nil), "\(route.name): \(status)")
          #expect(status == 200 || route.parameters.contains(.ifNoneMatch), "\(route.name)")
        }
      }
    }
    let open = try #require(RouteTable.all.routes.first { $0.name == "open" })
    let answer = try opened.client.request("POST", "/sessions/counter", fields: [("If-Match", "*")])
    #expect((answer.problem, answer["ETag"]) == ("version-moved", nil))
    #expect(Self.isKnown(answer.problem, open) && open.parameters.contains(.ifMatch))
  }

  @Test func `in a session that is closed are in its row`() throws {
    let opened = try Opened()
    try opened.send("DELETE")
    for route in RouteTable.all.routes {
      guard let request = Self.requests[route.name] else { continue }
      let answer = try opened.client.request(route.method.rawValue, opened.url + request.path, request.body)
      #expect((answer.status, answer.problem) == (410, "session-closed"), "\(route.name)")
      #expect(route.problems.contains(.sessionClosed), "\(route.name)")
    }
  }

  @Test func `at a limit are in its row`() throws {
    let large = "\"\(String(repeating: "x", count: 100))\""
    for (name, path, body) in [
      ("set", "/state/text", large), ("perform", "/actions/copy", "100"),
      ("performMany", "/actions", #"[{"do":"/copy","value":100}]"#), ("cancel", "/actions/copy", nil),
    ] as [(String, String, String?)] {
      let route = try #require(RouteTable.all.routes.first { $0.name == name })
      let opened = try Opened([.hosting { Page() }], "page") {
        $0.sessions.maxStateBytes = #"{"text":"","copies":[]}"#.utf8.count + 8
        $0.sessions.actionRate = Rate(1, per: .seconds(3_600), burst: 1)
      }
      let problems = try (0..<2).map { _ in try opened.send(route.method.rawValue, path, body).problem }
      #expect(problems == [name == "cancel" ? "invalid-action" : "state-too-large", "too-many-requests"])
      for problem in problems { #expect(Self.isKnown(problem, route), "\(name)") }
    }
    let open = try #require(RouteTable.all.routes.first { $0.name == "open" })
    for configure in [
      { $0.sessions.maxStateBytes = 4 }, { $0.sessions.maxSessions = 0 },
      { $0.sessions.openingRate = Rate(1, per: .seconds(3_600), burst: 1) },
    ] as [@Sendable (inout ServerConfiguration) -> Void] {
      let client = try TestServer([.hosting { Page() }], configure: configure).client()
      let answers = try (0..<2).map { _ in try client.request("POST", "/sessions/page") }
      #expect(Self.isKnown(answers[1].problem, open), "\(answers[1].text)")
    }
  }
}
