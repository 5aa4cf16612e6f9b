// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@testable import EuripusServer

/// Every answer says how a cache may keep it. A cache may keep an answer that does not for a time that it
/// guesses (RFC 9111 §4.2.2).
@Suite(.timeLimit(.minutes(30))) struct `Cache-Control` {
  /// A request to each route. The path of a route in a session begins at the session's URL.
  private static let requests: [String: (path: String, body: String?)] = [
    "models": ("/models", nil), "modelDescription": ("/models/fetcher/openapi.json", nil),
    "description": ("/openapi.json", nil), "problems": ("/problems", nil),
    "problem": ("/problems/not-found", nil), "health": ("/healthz", nil), "ready": ("/readyz", nil),
    "metrics": ("/metrics", nil), "open": ("/sessions/fetcher", nil), "read": ("", nil), "close": ("", nil),
    "leave": ("/leaving", nil), "ownSessions": ("/sessions", nil),
    "value": ("/state/count", nil), "set": ("/state/count", "1"), "perform": ("/actions/add", "1"),
    "cancel": ("/actions/fetch", nil), "performMany": ("/actions", #"[{"do":"/add","value":1}]"#),
    "address": ("/address", nil), "goTo": ("/address", #""/fetcher.html?count=2""#),
    "prefer": ("/client", #"{"languages":["de"]}"#), "changes": ("/changes", nil),
    "file": ("/login.html", nil),
  ]

  /// Those of files are looked at in `Files that clients send` and `Files that a session offers`.
  private static let routes = RouteTable.all.routes.filter { route in
    !(RouteTable.uploads + RouteTable.downloads).contains { $0.name == route.name }
  }

  @Test(arguments: routes.flatMap { route in route.answers.map { (route.name, $0.status) } })
  func `is in each answer of each route in the table`(name: String, status: Int) throws {
    let opened = try Opened([.hosting { Fetcher() }], "fetcher") { $0.publicDirectory = publicDirectory }
    let (client, url) = (opened.client, opened.url)
    let route = try #require(RouteTable.all.routes.first { $0.name == name })
    var (path, body) = try #require(Self.requests[name], "there is no request to the route \(name)")
    if route.path.isInSession { path = url + path }
    if status == 204, route.method == .get {
      path += "?since=\(try opened.version)"
    }
    let field = [206: [("Range", "bytes=0-1")], 304: [("If-None-Match", "*")]][status] ?? []
    let response = try client.request(route.method.rawValue, path, body, fields: field)
    #expect(response.status == status, "\(response.text)")
    let values = response.fields.filter { $0.name.lowercased() == "cache-control" }.map(\.value)
    #expect(`Every response`.cacheControls.contains(values), "\(status) \(name): \(values)")
    guard route.method == .get, status != 206 else { return }
    let head = try client.request("HEAD", path, fields: field)
    #expect((head.status, head["Cache-Control"]) == (status, response["Cache-Control"]))
  }

  @Test(arguments: Problem.Kind.allCases) func `is in a problem of each kind`(kind: Problem.Kind) {
    let values = Problem(kind, "a reason").response.fields.filter { "\($0.name)" == "Cache-Control" }.map(\.value)
    #expect(values == ["no-store"])
  }
}
