// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The rate of a route` {
  @Test func `is that of each address by itself, and of no other route`() throws {
    let rate = Rate(1, per: .seconds(3_600), burst: 2)
    let server = try TestServer(routes: [
      .post("/letters", rate: rate) { _ in .text("sent") }, .get("/letters") { _ in .text("none") },
    ])
    let (one, other) = (try server.client(), try TestClient(port: server.port, from: "127.0.0.2"))
    for _ in 0..<2 { #expect(try one.request("POST", "/letters").text == "sent") }
    let refused = try one.request("POST", "/letters")
    #expect(refused.problem == "too-many-requests" && refused["Retry-After"].flatMap { Int($0) } ?? 0 > 1_000)
    #expect(try one.request("GET", "/letters").status == 200)
    #expect(try other.request("POST", "/letters").text == "sent")
  }

  @Test(arguments: [false, true]) func `is that of each client by itself that is known, behind one address`(
    isStored: Bool
  ) throws {
    let folder = try PublicFolder(["store/empty": ""])
    let rate = Rate(1, per: .seconds(3_600), burst: 2)
    func server() throws -> TestServer {
      try TestServer(
        routes: [.post("/letters", rate: rate) { _ in .text("sent") }], [.hosting { Counter() }],
        configure: { if isStored { $0.sessions.storage = .sqlite("\(folder.path)/store/sessions.db") } })
    }
    var running = try server()
    func statuses(_ client: TestClient) throws -> [Int] {
      try (0..<3).map { _ in try client.request("POST", "/letters").status }
    }
    var clients = try (0..<2).map { _ in try running.client() }
    for client in clients { #expect(try client.request("GET", client.open("counter")).status == 200) }
    if isStored {
      // After the restart, only the store knows the clients. The server looks up each once.
      running.stop()
      running = try server()
      clients = try clients.map { try running.client(as: $0) }
    }
    for client in clients { #expect(try statuses(client) == [200, 200, 429]) }
    let refused = try clients[0].request("POST", "/letters")
    #expect(refused.json?["limit"] == "route-rate" && refused.json?["scope"] == "client")
    // Strangers share the rate of their address, with a key or without.
    let stranger = try running.client()
    stranger.goOn(with: "a=b")
    #expect(try stranger.request("POST", "/letters").status == 200)
    let others = try (0..<2).map { _ in try running.client().request("POST", "/letters") }
    #expect(others.map(\.status) == [200, 429] && others[1].json?["scope"] == "address")
  }

  @Test func `is that of each user that a proxy names`() throws {
    let rate = Rate(1, per: .seconds(3_600), burst: 1)
    let server = try TestServer(
      routes: [.post("/letters", rate: rate) { .text($0.user?.id ?? "nobody") }], [.hosting { Counter() }],
      configure: {
        $0.trustedProxies = ["127.0.0.1"]
        $0.userHeader = UserHeader("X-User")
      })
    let proxy = try server.client()
    for name in ["anna", "ben"] {
      #expect(try proxy.request("POST", "/letters", fields: [("X-User", name)]).text == name)
      #expect(try proxy.request("POST", "/letters", fields: [("X-User", name)]).status == 429)
    }
    #expect(try proxy.request("POST", "/letters").text == "nobody")
  }
}

@Suite(.timeLimit(.minutes(30))) struct `The body of a route` {
  private let server: TestServer

  init() throws {
    let count: AppRoute.Function = { request in .text("\(request.body.count)") }
    server = try TestServer(
      routes: [
        .post("/usual", count), .post("/short/{name}", maxBodyBytes: 10, count),
        .put("/long", maxBodyBytes: 300_000, count), .post("/none", maxBodyBytes: 0, count),
      ], [.hosting { Counter() }], configure: { $0.listener.maxBodyBytes = 1_000 })
  }

  @Test(arguments: [
    ("POST", "/usual", 1_000), ("POST", "/short/a", 10), ("PUT", "/long", 300_000), ("POST", "/none", 0),
  ])
  func `may have as much as it says, or as the server's, and not a byte more`(
    method: String, path: String, limit: Int
  ) throws {
    let client = try server.client()
    #expect(try client.request(method, path, String(repeating: "a", count: limit)).text == "\(limit)")
    let refused = try client.request(method, path, String(repeating: "a", count: limit + 1))
    #expect((refused.status, refused.problem) == (413, "body-too-large"))
    #expect(refused.text.contains("\(limit) bytes at most"))
  }

  @Test(arguments: [(10, 200), (11, 413)]) func `is measured in chunks too`(count: Int, status: Int) throws {
    let client = try server.client()
    try client.send(
      raw: "POST /short/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "5\r\naaaaa\r\n\(String(count - 5, radix: 16))\r\n\(String(repeating: "b", count: count - 5))\r\n0\r\n\r\n")
    #expect(try client.receive().status == status)
  }

  @Test func `leaves the limits of other paths and methods as they are`() throws {
    let url = try server.client().open("counter")
    let long = String(repeating: " ", count: 2_000)
    for (method, path) in [("POST", "/long"), ("POST", url + "/actions/add"), ("PUT", "/short/a"), ("POST", "/nope")] {
      #expect(try server.client().request(method, path, long).problem == "body-too-large", "\(method) \(path)")
    }
  }
}
