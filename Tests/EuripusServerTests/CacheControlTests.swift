// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import Testing

@testable import EuripusServer
@testable import HTTPListening

/// Every answer says how a cache may keep it. A cache may keep an answer that does not for a time that it
/// guesses (RFC 9111 §4.2.2).
@Suite(.timeLimit(.minutes(5))) struct `Cache-Control` {
  /// A view model with a value, an action and a command, and an action that takes as long as a test wants.
  private final class Whole: ViewModel {
    let count = Observable(0)
    let add = Observer<Int>()
    let hold = Observer<Void>()
    let work: Command<Void, Void>

    init(_ hold: @escaping @Sendable () -> Void = {}) {
      work = Command(count) { _, _, _ in }
      add.handle(self) { $0.count.value += $1 }
      self.hold.handle(self) { _, _ in hold() }
    }

    static let surface = Surface<Whole>(
      "whole", .twoWay("count", \.count).inAddress(), .action("add", \.add), .action("hold", \.hold),
      .command("work", \.work))
  }

  private func expectOne(_ response: TestClient.Response, _ what: String) {
    let values = response.fields.filter { $0.name.lowercased() == "cache-control" }.map(\.value)
    #expect([["no-store"], ["no-store, no-transform"], ["no-cache"]].contains(values), "\(what): \(values)")
  }

  private func server() throws -> TestServer {
    try TestServer([.hosting { Whole() }]) { $0.publicDirectory = publicDirectory }
  }

  /// A request to each route. The path of a route in a session begins at the session's URL.
  private static let requests: [String: (path: String, body: String?)] = [
    "models": ("/models", nil), "modelDescription": ("/models/whole/openapi.json", nil),
    "description": ("/openapi.json", nil), "problems": ("/problems", nil),
    "problem": ("/problems/not-found", nil), "health": ("/healthz", nil), "ready": ("/readyz", nil),
    "metrics": ("/metrics", nil), "open": ("/sessions/whole", nil), "read": ("", nil), "close": ("", nil),
    "leave": ("/leaving", nil), "ownSessions": ("/sessions", nil),
    "value": ("/state/count", nil), "set": ("/state/count", "1"), "perform": ("/actions/add", "1"),
    "cancel": ("/actions/work", nil), "performMany": ("/actions", #"[{"do":"/add","value":1}]"#),
    "address": ("/address", nil), "goTo": ("/address", #""/whole.html?count=2""#),
    "prefer": ("/client", #"{"languages":["de"]}"#), "changes": ("/changes", nil),
    "file": ("/login.html", nil),
  ]

  @Test(arguments: RouteTable.all.routes.flatMap { route in route.answers.map { (route.name, $0.status) } })
  func `is in each answer of each route in the table`(name: String, status: Int) throws {
    let client = try server().client()
    let url = try client.open("whole")
    let route = try #require(RouteTable.all.routes.first { $0.name == name })
    var (path, body) = try #require(Self.requests[name], "there is no request to the route \(name)")
    if route.path.isInSession { path = url + path }
    if status == 204, route.method == .get {
      let version = try #require(try client.request("GET", url)["ETag"]).dropFirst().dropLast()
      path += "?since=\(version)"
    }
    let field = [206: [("Range", "bytes=0-1")], 304: [("If-None-Match", "*")]][status] ?? []
    let response = try client.request(route.method.rawValue, path, body, fields: field)
    #expect(response.status == status, "\(response.text)")
    expectOne(response, "\(status) \(name)")
    guard route.method == .get, status != 206 else { return }
    let head = try client.request("HEAD", path, fields: field)
    #expect((head.status, head["Cache-Control"]) == (status, response["Cache-Control"]))
  }

  @Test func `is in what is refused of each resource, and in OPTIONS`() throws {
    let client = try server().client()
    let url = try client.open("whole")
    for (name, request) in Self.requests {
      let isInSession = RouteTable.all.routes.contains { $0.name == name && $0.path.isInSession }
      let path = (isInSession ? url : "") + request.path
      for (method, fields, status) in [
        ("OPTIONS", [], 204), ("PATCH", [], 405), ("BREW", [], 501), ("GET", [("Host", "evil.example")], 421),
        ("GET", [("Origin", "null")], 403),
      ] as [(String, [(String, String)], Int)] {
        let response = try client.request(method, path, fields: fields)
        #expect(response.status == status, "\(method) \(path)")
        expectOne(response, "\(method) \(path)")
      }
    }
    for path in ["/nope", "/sessions/nope", url + "/nope", "/sessions/whole/AAAAAAAAAAAAAAAAAAAAAA", "/problems/nope"] {
      let response = try client.request("GET", path)
      #expect([404, 405].contains(response.status), "\(path)")
      expectOne(response, path)
    }
    expectOne(try client.request("OPTIONS", "*"), "OPTIONS *")
  }

  @Test(arguments: Problem.Kind.allCases) func `is in a problem of each kind`(kind: Problem.Kind) {
    let values = Problem(kind, "a reason").response.fields.filter { "\($0.name)" == "Cache-Control" }.map(\.value)
    #expect(values == ["no-store"])
  }

  @Test(arguments: HTTPRefusal.all) func `is in each refusal of the gate`(refusal: HTTPRefusal) {
    let values = Problem(refusal).response.fields.filter { "\($0.name)" == "Cache-Control" }.map(\.value)
    #expect(values == ["no-store"])
  }

  @Test(arguments: `Refused before it is read`.cases)
  func `is in what the gate refuses, as it is sent`(given: `Refused before it is read`.Case) throws {
    let client = try server().client()
    try client.send(raw: "\(given.head)Host: localhost\r\n\r\n")
    let response = try client.receive()
    #expect(response.status == given.status)
    expectOne(response, given.testDescription)
  }

  @Test func `is in streams, and in what a server that drains answers`() throws {
    let server = try server()
    let client = try server.client()
    let url = try client.open("whole")
    let stream = [("Accept", "text/event-stream")]
    let reader = try server.client()
    reader.cookie = client.cookie
    try reader.send("GET", url + "/changes", fields: stream)
    expectOne(try reader.receive(hasBody: false), "a stream")
    expectOne(try client.request("GET", "/sessions/whole/A/changes", fields: stream), "no stream")
    server.drain()
    for (method, path, fields, status) in [
      ("GET", url + "/changes", stream, 200), ("GET", "/readyz", [], 503), ("POST", "/sessions/whole", [], 503),
    ] as [(String, String, [(String, String)], Int)] {
      let response = try client.request(method, path, fields: fields)
      #expect(response.status == status)
      expectOne(response, "\(method) \(path)")
    }
  }

  @Test func `is in what a retry is answered`() throws {
    let client = try server().client()
    let url = try client.open("whole")
    for (number, (path, body, status)) in [("/actions/add", "1", 200), ("/actions/add", "{}", 422)].enumerated() {
      for _ in 0..<2 {
        let response = try client.request("POST", url + path, body, fields: [("Idempotency-Key", "key-\(number)")])
        #expect(response.status == status, "\(response.text)")
        expectOne(response, "\(path) \(body)")
      }
    }
  }

  @Test func `is in the answer to who still waits when the server has stopped`() throws {
    let (hasBegun, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    var configuration = ServerConfiguration()
    configuration.listener.port = 0
    let model = HostedModelType.hosting {
      Whole {
        hasBegun.signal()
        mayEnd.wait()
      }
    }
    let server = EuripusServer([model], configuration: configuration)
    try server.start()
    let client = try TestClient(port: server.port)
    let url = try client.open("whole")
    try client.send("POST", url + "/actions/hold")
    hasBegun.wait()
    server.stop(within: .zero)
    mayEnd.signal()
    let response = try client.receive()
    #expect((response.status, response["Cache-Control"]) == (503, "no-store"))
    #expect((response.problem, response["Retry-After"], response["Connection"]) == ("draining", "2", "close"))
  }
}
