// SPDX-License-Identifier: MIT
import Sessions
import Testing

@testable import EuripusServer

@Suite struct `A route` {
  private static func route(_ target: String) throws -> Route { Route(try #require(RequestTarget(target))) }

  @Test func `goes to a row whose key is empty, or has slashes and tildes`() throws {
    for (token, key) in [("", ""), ("~1", "/"), ("~0", "~"), ("~01", "~1"), ("%7E1", "/"), ("%C3%BC", "ü")] {
      #expect(
        try Self.route("/sessions/shelf/ID/actions/books/items/\(token)/buy?since=a.1")
          == .action(model: "shelf", id: SessionID("ID"), path: ["books", "items", key, "buy"]))
    }
  }

  @Test(arguments: ["/sessions/", "/sessions/shelf/", "/sessions//ID", "/sessions/shelf/ID/", "/sessions"])
  func `goes nowhere where a name is empty`(target: String) throws {
    #expect(try Self.route(target) == .unknown)
  }

  @Test func `is the same however much of it is percent-encoded`() throws {
    let targets: [(String, Route)] = [
      ("/healthz", .health), ("/readyz", .ready), ("/metrics", .metrics), ("/models", .models),
      ("/openapi.json", .description), ("/problems", .problems), ("/problems/no-session", .problem(name: "no-session")),
      ("/sessions/login", .sessions(model: "login")),
      ("/sessions/login/ID", .session(model: "login", id: SessionID("ID"))),
      ("/sessions/login/ID/actions", .actions(model: "login", id: SessionID("ID"))),
      ("/sessions/login/ID/changes", .changes(model: "login", id: SessionID("ID"))),
      ("/sessions/login/ID/state/name", .value(model: "login", id: SessionID("ID"), path: ["name"])),
      ("/sessions/login/ID/actions/a/b", .action(model: "login", id: SessionID("ID"), path: ["a", "b"])),
      ("/sessions/login/ID/state", .unknown), ("/sessions/login/ID/changes/x", .unknown),
      ("/sessions/login/ID/x", .unknown),
      ("/", .file([""])), ("/a/b.html", .file(["a", "b.html"])), ("/healthz/x", .file(["healthz", "x"])),
      ("/problems/a/b", .file(["problems", "a", "b"])),
    ]
    for (target, route) in targets {
      #expect(try Self.route(target) == route)
      #expect(try Self.route("http://a.example\(target)?x=/y") == route)
      let encoded = target.utf8.map { $0 == UInt8(ascii: "/") ? "/" : "%\(String($0, radix: 16))" }.joined()
      #expect(try Self.route(encoded) == route)
    }
  }

  @Test func `to what no session's id can be has none`() throws {
    let long = String(repeating: "a", count: 24)
    #expect(try Self.route("/sessions/login/\(long)") == .session(model: "login", id: nil))
  }
}
