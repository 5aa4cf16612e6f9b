// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import JSONPatching
import Locking
import Logging
import Testing

/// A view model that keeps its session busy until it is let go.
final class Slow: ViewModel {
  static let isIn = DispatchSemaphore(value: 0)
  static let mayGo = DispatchSemaphore(value: 0)
  static let added = Locked(0)
  let count = Observable(0)
  let hold = Observer<Void>()
  let add = Observer<Int>()

  init() {
    hold.handle { _ in
      Slow.isIn.signal()
      Slow.mayGo.wait()
    }
    add.handle(self) { slow, value in
      slow.count.value += value
      Slow.added.withLock { $0 += value }
    }
  }

  static let surface = Surface<Slow>("slow", .value("count", \.count), .action("hold", \.hold), .action("add", \.add))
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct `A busy session` {
  /// A server with two loops, which get new connections in turn. The loop of `holder` is held, and that of
  /// `other` is free.
  struct Held {
    let lines = Locked<[String]>([])
    let logged = DispatchSemaphore(value: 0)
    let server: TestServer
    let holder: TestClient
    let other: TestClient
    let url: String

    /// - Parameter key: The key of the request that opens the session; `nil` for none.
    init(key: String? = nil) throws {
      server = try TestServer([.hosting { Slow() }]) { [lines, logged] configuration in
        configuration.listener.loops = 2
        configuration.log.logger = Logger(label: "test") { _ in
          LineLogHandler(write: { line in
            lines.withLock { $0.append(line) }
            logged.signal()
          })
        }
      }
      holder = try server.client()
      var url = try holder.open("slow")
      if let key {
        let another = try holder.request("POST", "/sessions/slow", fields: [("Idempotency-Key", key)])
        url = try #require(another["Location"])
      }
      self.url = url
      other = try server.client()
      #expect(try other.request("GET", "/healthz").status == 200)
      other.cookie = holder.cookie
      Slow.added.withLock { $0 = 0 }
      try holder.send("POST", url + "/actions/hold")
      Slow.isIn.wait()
    }
  }

  @Test func `a request to it waits without its loop, and is done in its turn`() throws {
    let held = try Held()
    try held.other.send("POST", held.url + "/actions/add", "1")
    // Every second connection is on the loop that is free.
    let bystanders = try (0..<2).map { _ in try held.server.client() }
    #expect(try bystanders[1].request("GET", "/healthz").status == 200)
    #expect(Slow.added.withLock { $0 } == 0)
    Slow.mayGo.signal()
    #expect(try held.holder.receive().status == 200)
    #expect(try held.other.receive().json?["state"] == ["count": 1])
    #expect(Slow.added.withLock { $0 } == 1)
  }

  @Test func `a request that is refused because the server stops was not performed`() throws {
    let held = try Held()
    try held.other.send("POST", held.url + "/actions/add", "1")
    let bystanders = try (0..<2).map { _ in try held.server.client() }
    #expect(try bystanders[1].request("GET", "/healthz").status == 200)
    let server = held.server
    let isStopped = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      server.stop()
      isStopped.signal()
    }
    let refused = try held.other.receive()
    #expect((refused.status, refused.problem) == (503, "draining"))
    #expect(refused["Retry-After"] == "2")
    Slow.mayGo.signal()
    isStopped.wait()
    #expect(Slow.added.withLock { $0 } == 0)
  }

  /// Clients on the loop that is free, each with the session's key.
  private func others(_ count: Int, _ held: Held) throws -> [TestClient] {
    // Every second connection is on the loop that is free.
    let clients = try (0..<count * 2).map { _ in try held.server.client() }
    let free = clients.indices.filter { $0 % 2 == 1 }.map { clients[$0] }
    for client in free { client.cookie = held.holder.cookie }
    return free
  }

  /// Sends requests one after the other, which all wait for the session's turn. Then it ends the turn that
  /// holds them up.
  private func queue(
    _ requests: [(client: TestClient, method: String, path: String, fields: [(String, String)])], _ held: Held
  ) throws {
    for request in requests {
      let body = request.path.hasSuffix("/add") ? "1" : nil
      try request.client.send(request.method, request.path, body, fields: request.fields)
      // The loop reads in order: when it answers this, it has read the request before.
      #expect(try held.other.request("GET", "/healthz").status == 200)
    }
    Slow.mayGo.signal()
    #expect(try held.holder.receive().status == 200)
  }

  @Test func `what waits behind the request that closes it finds it closed`() throws {
    let held = try Held()
    let clients = try others(3, held)
    let keys = ["first", "second"].map { [("Idempotency-Key", $0)] }
    try queue(
      [
        (clients[0], "DELETE", held.url, keys[0]), (clients[1], "DELETE", held.url, keys[1]),
        (clients[2], "POST", held.url + "/actions/add", []),
      ], held)
    #expect(try clients[0].receive().status == 204)
    #expect(try clients[1].receive().problem == "session-closed")
    #expect(try clients[2].receive().problem == "session-closed")
    #expect(Slow.added.withLock { $0 } == 0)
    #expect(try clients[0].request("DELETE", held.url, fields: keys[0]).status == 204)
    #expect(try clients[1].request("DELETE", held.url, fields: keys[1]).problem == "session-closed")
  }

  @Test func `a request that opens it again finds it closed by the one before`() throws {
    let held = try Held(key: "opening")
    let clients = try others(2, held)
    try queue(
      [
        (clients[0], "DELETE", held.url, []),
        (clients[1], "POST", "/sessions/slow", [("Idempotency-Key", "opening")]),
      ], held)
    #expect(try clients[0].receive().status == 204)
    #expect(try clients[1].receive().problem == "session-closed")
  }

  @Test func `the log names an action that holds its session for more than 100 ms`() throws {
    let held = try Held()
    // The action holds its session for this time, and nothing is logged before it ends.
    #expect(held.logged.wait(timeout: .now() + .milliseconds(150)) == .timedOut)
    Slow.mayGo.signal()
    #expect(try held.holder.receive().status == 200)
    #expect(held.logged.wait(timeout: .now() + 10) == .success)
    let line = held.lines.withLock { $0.first ?? "" }
    let match = line.wholeMatch(
      of: #/.* warning an action held its session action=hold milliseconds=(\d+) model=slow remedy=".*"/#)
    #expect(match.flatMap { Int($0.1) }.map { $0 >= 150 } == true, "\(line)")
  }
}
