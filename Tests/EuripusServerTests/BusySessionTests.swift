// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import JSONPatching
import Locking
import Sessions
import Testing
import ViewModels

@testable import EuripusServer

/// A view model whose action takes as many milliseconds as it is told.
private final class Patient: ViewModel {
  private let count = Observable(0)
  private let pass: @Sendable (Duration) -> Void
  init(_ pass: @escaping @Sendable (Duration) -> Void) { self.pass = pass }
  func hold(_ milliseconds: Int) { pass(.milliseconds(milliseconds)) }
  static let surface = Surface<Patient>("patient", .value("count", \.count), .action("hold", Patient.hold))
}

@Suite(.timeLimit(.minutes(30))) struct `A busy session` {
  /// A server with two loops, which get new connections in turn. The loop of `holder` is held, and that of
  /// `other` is free.
  struct Held {
    let hold = Blocking.Hold()
    let server: TestServer
    let holder: TestClient
    let other: TestClient
    let url: String

    /// - Parameter key: The key of the request that opens the session; `nil` for none.
    init(key: String? = nil) throws {
      server = try TestServer([.hosting { [hold] in Blocking(hold) }]) { $0.listener.loops = 2 }
      holder = try server.client()
      var url = try holder.open("blocking")
      if let key {
        let another = try holder.request("POST", "/sessions/blocking", fields: [("Idempotency-Key", key)])
        url = try #require(another["Location"])
      }
      self.url = url
      other = try server.client(as: holder)
      #expect(try other.request("GET", "/healthz").status == 200)
      try holder.send("POST", url + "/actions/hold")
      hold.isIn.wait()
    }

    /// Clients on the loop that is free, each with the session's key.
    func others(_ count: Int) throws -> [TestClient] {
      // Every second connection is on the loop that is free.
      let clients = try (0..<count * 2).map { _ in try server.client(as: holder) }
      let others = clients.indices.filter { $0 % 2 == 1 }.map { clients[$0] }
      // The loop reads its connections in the order in which their requests come only once it has taken them in.
      for client in others { #expect(try client.request("GET", "/healthz").status == 200) }
      return others
    }
  }

  @Test func `a request to it waits without its loop, and is done in its turn`() throws {
    let held = try Held()
    try held.other.send("POST", held.url + "/actions/add", "1")
    #expect(try held.others(1)[0].request("GET", "/healthz").status == 200)
    #expect(held.hold.added.withLock { $0 } == 0)
    held.hold.mayGo.signal()
    #expect(try held.holder.receive().status == 200)
    #expect(try held.other.receive().json?["patch"] == [["op": "replace", "path": "/count", "value": 1]])
    #expect(held.hold.added.withLock { $0 } == 1)
  }

  @Test func `a request that is refused because the server stops was not performed`() throws {
    let held = try Held()
    try held.other.send("POST", held.url + "/actions/add", "1")
    #expect(try held.others(1)[0].request("GET", "/healthz").status == 200)
    let server = held.server
    let isStopped = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      server.stop()
      isStopped.signal()
    }
    let refused = try held.other.receive()
    #expect((refused.status, refused.problem) == (503, "draining"))
    #expect(refused["Retry-After"] == "2")
    held.hold.mayGo.signal()
    isStopped.wait()
    #expect(held.hold.added.withLock { $0 } == 0)
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
    held.hold.mayGo.signal()
    #expect(try held.holder.receive().status == 200)
  }

  @Test func `a request that waits behind the one that closes it finds it closed`() throws {
    let held = try Held()
    let clients = try held.others(3)
    let keys = ["first", "second"].map { [("Idempotency-Key", $0)] }
    try queue(
      [
        (clients[0], "DELETE", held.url, keys[0]), (clients[1], "DELETE", held.url, keys[1]),
        (clients[2], "POST", held.url + "/actions/add", []),
      ], held)
    #expect(try clients[0].receive().status == 204)
    #expect(try clients[1].receive().problem == "session-closed")
    #expect(try clients[2].receive().problem == "session-closed")
    #expect(held.hold.added.withLock { $0 } == 0)
    #expect(try clients[0].request("DELETE", held.url, fields: keys[0]).status == 204)
    #expect(try clients[1].request("DELETE", held.url, fields: keys[1]).problem == "session-closed")
  }

  @Test func `a request that opens it again finds it closed by the one before`() throws {
    let held = try Held(key: "opening")
    let clients = try held.others(2)
    try queue(
      [
        (clients[0], "DELETE", held.url, []),
        (clients[1], "POST", "/sessions/blocking", [("Idempotency-Key", "opening")]),
      ], held)
    #expect(try clients[0].receive().status == 204)
    #expect(try clients[1].receive().problem == "session-closed")
  }

  @Test func `the log names an action that holds its session for more than 100 ms`() throws {
    let (clock, lines) = (Locked(ContinuousClock.now), LogLines())
    let logger = lines.logger()
    let host = SessionHost(
      [.hosting { Patient { time in clock.withLock { $0 += time } } }], now: { clock.withLock { $0 } },
      report: { logger.report($0) })
    for milliseconds in [100, 150] as [Int64] {
      let session = try host.open("patient", as: nil).session
      session.submit { _ = try? $0.make([.perform(["hold"], .integer(milliseconds))], since: nil, ifMatch: nil) }
    }
    #expect(lines.all.count == 1)
    let line = lines.all.first ?? ""
    let text = #/.* warning an action held its session action=hold milliseconds=150 model=patient remedy=".*"/#
    #expect(line.wholeMatch(of: text) != nil, "\(line)")
  }
}
