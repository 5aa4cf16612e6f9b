// SPDX-License-Identifier: MIT
import Sessions
import Testing

@testable import EuripusServer

@Suite struct `The table of routes` {
  /// The template and the open parts of a target's path, as text; `nil` for a path without a resource.
  private static func found(_ target: String) throws -> String? {
    let segments = try #require(RequestTarget(target)).segments
    let (resource, match) = RouteTable.all.find(segments)
    guard let resource else { return nil }
    let id = match.id.isEmpty ? "-" : match.id
    return "\(resource.template.text) \(match.model) \(id) \(match.name) \(match.tokens)"
  }

  @Test func `goes to a row of a list whose key is empty, or has slashes and tildes`() throws {
    for (token, key) in [("", ""), ("~1", "/"), ("~0", "~"), ("~01", "~1"), ("%7E1", "/"), ("%C3%BC", "ü")] {
      let target = try #require(RequestTarget("/sessions/shelf/ID/actions/books/items/\(token)/buy?since=a.1"))
      let (resource, match) = RouteTable.all.find(target.segments)
      #expect(resource?.template.text == "/sessions/{model}/{id}/actions/{path}")
      #expect((match.model, match.id) == ("shelf", "ID"))
      #expect(match.tokens == ["books", "items", key, "buy"])
    }
  }

  @Test(arguments: [
    "/sessions/", "/sessions/shelf/", "/sessions//ID", "/sessions/shelf/ID/", "/sessions/login/ID/state",
    "/sessions/login/ID/changes/x", "/sessions/login/ID/x",
  ])
  func `has nothing where a name is empty or unknown below sessions`(target: String) throws {
    #expect(try Self.found(target) == nil)
  }

  @Test func `is the same however much of a path is percent-encoded`() throws {
    let targets = [
      ("/healthz", "/healthz  -  []"), ("/readyz", "/readyz  -  []"), ("/metrics", "/metrics  -  []"),
      ("/models", "/models  -  []"), ("/openapi.json", "/openapi.json  -  []"),
      ("/models/login/openapi.json", "/models/{name}/openapi.json  - login []"), ("/problems", "/problems  -  []"),
      ("/problems/no-session", "/problems/{name}  - no-session []"),
      ("/sessions/login", "/sessions/{model} login -  []"),
      ("/sessions/login/ID", "/sessions/{model}/{id} login ID  []"),
      ("/sessions/login/ID/actions", "/sessions/{model}/{id}/actions login ID  []"),
      ("/sessions/login/ID/leaving", "/sessions/{model}/{id}/leaving login ID  []"),
      ("/sessions/login/ID/changes", "/sessions/{model}/{id}/changes login ID  []"),
      ("/sessions/login/ID/state/name", #"/sessions/{model}/{id}/state/{path} login ID  ["name"]"#),
      ("/sessions/login/ID/state/", #"/sessions/{model}/{id}/state/{path} login ID  [""]"#),
      ("/sessions/login/ID/actions/a/b", #"/sessions/{model}/{id}/actions/{path} login ID  ["a", "b"]"#),
      ("/", #"/{path}  -  [""]"#), ("/a/b.html", #"/{path}  -  ["a", "b.html"]"#),
      ("/healthz/x", #"/{path}  -  ["healthz", "x"]"#), ("/problems/a/b", #"/{path}  -  ["problems", "a", "b"]"#),
      ("/problems/", #"/{path}  -  ["problems", ""]"#),
    ]
    for (target, found) in targets {
      #expect(try Self.found(target) == found)
      #expect(try Self.found("http://a.example\(target)?x=/y") == found)
      let encoded = target.utf8.map { $0 == UInt8(ascii: "/") ? "/" : "%\(String($0, radix: 16))" }.joined()
      #expect(try Self.found(encoded) == found)
    }
  }

  @Test func `has each route once, with a name and an answer`() {
    let routes = RouteTable.all.routes
    let keys = routes.map { "\($0.method.rawValue) \($0.path.text)" }
    #expect(Set(keys).count == keys.count)
    #expect(Set(routes.map(\.name)).count == keys.count)
    for route in routes {
      #expect(!route.answers.isEmpty && route.summary.hasSuffix("."), "\(route.name)")
      #expect(Set(route.answers.map(\.status)).count == route.answers.count, "\(route.name)")
      let problems = route.problems + Problem.Kind.anywhere
      #expect(Set(problems).count == problems.count, "\(route.name) names a problem twice")
    }
  }
}
