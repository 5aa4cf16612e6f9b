// SPDX-License-Identifier: MIT
import CFaultyFiles
import Euripus
import EuripusTesting
import HTTPListening
import JSONPatching
import Locking
import SQLiteSessions
import Storing
import Testing

/// A server whose disk has no room for a while, and one whose disk does not answer.
@Suite(.timeLimit(.minutes(60))) struct `A disk` {
  /// Expects an answer's id in the log, with the reason.
  private func expectReason(of answer: TestClient.Response, in server: TestServer, _ reason: String) throws {
    let id = try #require(answer.json?["id"]?.text, "no id in \(answer.text)")
    #expect(server.log.contains { $0.contains("id=\(id)") && $0.contains(reason) }, "\(id): \(server.log)")
  }

  @Test
  func `that is full has changes and polls refused, reads served, and all done when there is room`() async throws {
    let disk = try FailingDisk("faulty-full")
    let server = try disk.server()
    let (one, other) = (try await LedgerClient(server), try await LedgerClient(server))
    for client in [one, other] { #expect(try await client.enter(1).status == 200) }
    let version = try #require(try await one.client.request("GET", one.url).json?["version"]?.text)
    let reader = try LedgerClient(one, at: server)
    try reader.client.send("GET", "\(one.url)/changes?since=\(version)", fields: [("Prefer", "wait=50")])

    disk.fail(FAULTY_FULL)
    for attempt in 1...3 {
      let refused = try await one.enter(2)
      #expect(refused.status == 507 && refused.isOfStore, "\(attempt): \(refused.text)")
      // The name of the store's file is for the log, and so is the store's reason. The line of the log has the
      // answer's id.
      #expect(!refused.text.contains(disk.path) && !refused.text.contains("SQLite"), "\(refused.text)")
      try expectReason(of: refused, in: server, "there is no room to write the session store \(disk.path)")
      // Sessions can be read all the same, whether they are in memory or not.
      for client in [one, other] { #expect(try await client.entries() == [1]) }
      // Nothing was applied, and the key's number is not used up.
      #expect(try await one.enter(3).status == 409)
    }
    let ready = try await server.client().request("GET", "/readyz")
    #expect(ready.status == 503 && ready.isOfStore, "\(ready.text)")
    try expectReason(of: ready, in: server, "there is no room")
    let opening = try await server.client().request("POST", "/sessions/ledger")
    #expect(opening.status == 507 && opening.isOfStore && opening["Set-Cookie"] == nil)
    let closing = try await other.client.request("DELETE", other.url)
    #expect(closing.status == 507 && closing.isOfStore)
    let polled = try await reader.client.receive()
    // A poll that came in only after the session was dropped gets the whole state.
    let isLate = polled.status == 200 && polled.json?["state"]?["entries"] == ["1"]
    #expect(polled.status == 507 && polled.isOfStore || isLate, "\(polled.text)")

    disk.heal()
    for number in 2...4 { #expect(try await one.enter(number).status == 200) }
    #expect(try await server.client().request("GET", "/readyz").status == 200)
    #expect(try await one.entries() == [1, 2, 3, 4])
    #expect(try await other.entries() == [1])
    #expect(try await other.client.request("DELETE", other.url).status == 204)
    let told = server.log.filter { $0.contains("the session store") && !$0.contains("clients are told") }
    #expect(told.count == 2, "\(told)")
    #expect(told.first?.contains("there is no room to write the session store \(disk.path)") == true)
    #expect(told.last?.contains("the session store works again") == true)
    server.stop()
    // Nothing is left of the session that could not be opened.
    #expect(try disk.look { try $0.count() } == StoreCount(living: 1, closed: 1))
  }

  @Test func `that is full lets a server start, with reads served, and changes once there is room`() async throws {
    let disk = try FailingDisk("faulty-start")
    let first = try disk.server()
    let ledger = try await LedgerClient(first)
    #expect(try await ledger.enter(1).status == 200)
    first.stop()
    disk.fail(FAULTY_FULL)
    let second = try disk.server()
    let again = try LedgerClient(ledger, at: second)
    #expect(try await again.entries() == [1])
    #expect(try await again.enter(2).status == 507)
    #expect(try await again.entries() == [1])
    disk.heal()
    #expect(try await again.enter(2).status == 200)
    #expect(try await again.entries() == [1, 2])
    second.stop()
  }

  @Test func `that refuses everything has a request answered by 503 after 30 s, or its wait and 10 s`() async throws {
    let disk = try FailingDisk("faulty-silent")
    let time = Locked<UInt64>(1_000_000_000)
    let server = try disk.server {
      $0.listener.loops = 1
      $0.listener.clock = MonotonicClock { time.withLock { $0 } }
    }
    let (waits, writes) = (try await LedgerClient(server), try await LedgerClient(server))
    let command = ("POST", "\(waits.url)/actions/work", "\"3\"")
    disk.fail(FAULTY_IO)
    try waits.client.send(
      command.0, command.1, command.2, fields: [("Idempotency-Key", "t/1"), ("Prefer", "wait=1")])
    try writes.client.send("PUT", "\(writes.url)/state/note", #""x""#)
    // A request that still waits for its session's turn would get another answer.
    let other = try server.client()
    while try await !other.request("GET", "/metrics").text.contains("euripus_store_backlog 2\n") {}
    while !server.log.contains(where: { $0.contains("SQLite says") }) { await Task.yield() }
    time.withLock { $0 += 30_000_000_000 }
    server.timePassed()
    for client in [writes.client, waits.client] {
      let answer = try await client.receive()
      #expect(answer.status == 503 && answer.isOfStore && answer["Retry-After"] != nil, "\(answer.text)")
      try expectReason(of: answer, in: server, "SQLite says")
    }
    disk.heal()
    // The change may have been stored before, and is made once.
    try waits.client.send(
      command.0, command.1, command.2, fields: [("Idempotency-Key", "t/1"), ("Prefer", "wait=20")])
    #expect(try await waits.client.receive().status == 200)
    #expect(try await waits.entries() == [3])
  }
}
