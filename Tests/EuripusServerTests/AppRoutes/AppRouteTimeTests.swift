// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import Locking
import Testing

/// A route's function that waits at a gate, and signals its beginning and its cancellation.
private struct Waiting: Sendable {
  let gate = Gate<String>()
  let hasBegun = DispatchSemaphore(value: 0)
  let wasCancelled = DispatchSemaphore(value: 0)

  func route(_ path: String, time: Duration = .seconds(3_600)) -> AppRoute {
    .get(path, time: time) { _ in
      hasBegun.signal()
      do { return .text(try await gate.pass()) } catch {
        wasCancelled.signal()
        throw error
      }
    }
  }

  func expectCancelled() { wasCancelled.wait() }
}

@Suite(.timeLimit(.minutes(30))) struct `A route that takes long` {
  private let waiting = Waiting()

  @Test func `and blocks its client's threads holds up no loop, no other client and no view model`() throws {
    let mayEnd = DispatchSemaphore(value: 0)
    @Sendable func block() { mayEnd.wait() }
    let server = try TestServer(
      routes: [
        .get("/block") { [waiting] _ in
          waiting.hasBegun.signal()
          block()
          return .empty
        }, .get("/quick") { _ in .text("quick") },
      ], [.hosting { Counter() }])
    // These are as many requests as there are threads for functions.
    let blocked = try (0..<64).map { _ in
      let client = try server.client()
      try client.send("GET", "/block")
      return client
    }
    for _ in 0..<16 { waiting.hasBegun.wait() }
    let client = try TestClient(port: server.port, from: "127.0.0.2")
    #expect(try client.request("GET", "/quick").text == "quick")
    let url = try client.open("counter")
    #expect(try client.request("POST", url + "/actions/add", "1").status == 200)
    for _ in blocked { mayEnd.signal() }
    for each in blocked { #expect(try each.receive().status == 204) }
  }

  @Test func `is cancelled when its client goes away`() throws {
    let server = try TestServer(routes: [waiting.route("/wait")])
    let client = try server.client()
    try client.send("GET", "/wait")
    waiting.hasBegun.wait()
    client.leave()
    waiting.expectCancelled()
  }

  @Test func `than it may is cancelled, told to the client and logged`() throws {
    let server = try TestServer(routes: [waiting.route("/wait", time: .milliseconds(20))])
    let response = try server.client().request("GET", "/wait")
    #expect((response.problem, response["Retry-After"]) == ("overloaded", "2"))
    waiting.expectCancelled()
    let id = try response.string("id")
    #expect(server.log.contains { $0.contains("a route took too long") && $0.contains("id=\(id)") }, "\(server.log)")
  }

  @Test func `is waited for when the server stops`() throws {
    // The server has one loop: once that loop has released the poll, it has stopped everything.
    let server = try TestServer(
      routes: [waiting.route("/wait")], [.hosting { Counter() }], configure: { $0.listener.loops = 1 })
    let (client, owner) = (try server.client(), try server.client())
    let reader = try server.poll(try owner.open("counter"), of: owner)
    try client.send("GET", "/wait")
    waiting.hasBegun.wait()
    let hasStopped = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      server.stop()
      hasStopped.signal()
    }
    // The released poll proves that the server is stopping.
    #expect(try reader.receive().status == 204)
    waiting.gate.open(with: "done")
    let response = try client.receive()
    #expect((response.text, response["Connection"]) == ("done", "close"))
    hasStopped.wait()
  }

  @Test func `than the server waits at its end is cancelled`() throws {
    var configuration = ServerConfiguration()
    configuration.listener.port = 0
    configuration.routes = [waiting.route("/wait")]
    let server = EuripusServer([], configuration: configuration)
    try server.start()
    let client = try TestClient(port: server.port)
    try client.send("GET", "/wait")
    waiting.hasBegun.wait()
    server.stop(within: .zero)
    waiting.expectCancelled()
    let response = try client.receive()
    #expect((response.problem, response["Cache-Control"]) == ("draining", "no-store"))
    #expect((response["Retry-After"], response["Connection"]) == ("2", "close"))
  }
}
