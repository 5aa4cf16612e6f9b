// SPDX-License-Identifier: MIT
import CFaultyFiles
import EuripusTesting
import JSONPatching
import SQLiteSessions
import Sessions
import Testing

/// A server whose disk has no room for a while, and one whose disk does not answer.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `A server whose disk` {
  private static let vfs = "faulty-disk"
  private let files: OpaquePointer
  private let place: TallyPlace
  init() throws {
    files = try #require(faulty_files_named(Self.vfs))
    place = try TallyPlace()
    faulty_files_fail(files, 0, FAULTY_IO, 0)
  }

  private func fail(_ kind: faulty_kind) { faulty_files_fail(files, 1, kind, .max) }
  /// Expects an answer's id in the log, with the reason.
  private func expectReason(of answer: TestClient.Response, in server: TestServer, _ reason: String) throws {
    guard case .string(let id)? = answer.json?["id"] else {
      Issue.record("no id in \(answer.text)")
      return
    }
    #expect(server.log.contains { $0.contains("id=\(id)") && $0.contains(reason) }, "\(id): \(server.log)")
  }

  private func heal() { faulty_files_fail(files, 0, FAULTY_IO, 0) }

  @Test func `is full tells whoever changes or waits, shows what was acknowledged, and goes on when there is room`()
    async throws
  {
    let server = try place.server(vfs: Self.vfs)
    let (one, other) = (try await TallyClient(server), try await TallyClient(server))
    #expect(try await one.add(1).status == 200)
    #expect(try await other.add(1).status == 200)
    let version = try await one.client.request("GET", one.url).json?["version"]
    guard case .string(let version)? = version else { return }
    let reader = try TallyClient(one, at: server)
    try reader.client.send("GET", "\(one.url)/changes?since=\(version)", fields: [("Prefer", "wait=50")])

    fail(FAULTY_FULL)
    for attempt in 1...3 {
      let refused = try await one.add(2)
      #expect(refused.status == 507 && refused.isOfStore, "\(attempt): \(refused.text)")
      // The name of the store's file is for the log, and so is the store's reason. The line of the log has the
      // answer's id.
      #expect(!refused.text.contains(place.path) && !refused.text.contains("SQLite"), "\(refused.text)")
      try expectReason(of: refused, in: server, "there is no room to write the session store \(place.path)")
      // Sessions can be read all the same, whether they are in memory or not.
      #expect(try await one.entries() == [1])
      #expect(try await other.entries() == [1])
      // Nothing was applied, and the key's number is not used up.
      #expect(try await one.add(3).status == 409)
    }
    let ready = try await server.client().request("GET", "/readyz")
    #expect(ready.status == 503 && ready.text.contains("/problems/store-unavailable"), "\(ready.text)")
    try expectReason(of: ready, in: server, "there is no room")
    let opening = try await server.client().request("POST", "/sessions/tally")
    #expect(opening.status == 507 && opening.isOfStore && opening["Set-Cookie"] == nil)
    let closing = try await other.client.request("DELETE", other.url)
    #expect(closing.status == 507 && closing.isOfStore)
    let polled = try await reader.client.receive()
    // A poll that came in only after the session was dropped gets the whole state.
    let isLate = polled.status == 200 && polled.json?["state"]?["entries"] == [1]
    #expect(polled.status == 507 && polled.isOfStore || isLate, "\(polled.text)")

    heal()
    for number in 2...4 { #expect(try await one.add(number).status == 200) }
    #expect(try await server.client().request("GET", "/readyz").status == 200)
    #expect(try await one.entries() == .numbers(1...4))
    #expect(try await other.entries() == [1])
    #expect(try await other.client.request("DELETE", other.url).status == 204)
    let told = server.log.filter { $0.contains("the session store") && !$0.contains("clients are told") }
    #expect(told.count == 2, "\(told)")
    #expect(told.first?.contains("there is no room to write the session store \(place.path)") == true)
    #expect(told.last?.contains("the session store works again") == true)
    server.stop()
    // Nothing is left of the session that could not be opened.
    #expect(try place.look { try $0.count() } == StoreCount(living: 1, closed: 1))
  }

  @Test func `refuses everything is said within half a minute, by 503, to who wanted to wait less, too`() async throws {
    let server = try place.server(vfs: Self.vfs)
    let (waits, polls) = (try await TallyClient(server), try await TallyClient(server))
    fail(FAULTY_IO)
    let clock = ContinuousClock()
    let begin = clock.now
    try waits.client.send(
      "POST", "\(waits.url)/actions/work", "3", fields: [("Idempotency-Key", "t/1"), ("Prefer", "wait=1")])
    try polls.client.send("PUT", "\(polls.url)/state/filler", #""x""#)
    for client in [waits.client, polls.client] {
      let answer = try await client.receive()
      #expect(answer.status == 503 && answer.isOfStore && answer["Retry-After"] != nil, "\(answer.text)")
      try expectReason(of: answer, in: server, "SQLite says")
    }
    #expect(clock.now - begin < .seconds(40))
    heal()
    // The change may have been stored before, and is made once.
    let again = try await waits.client.request(
      "POST", "\(waits.url)/actions/work", "3", fields: [("Idempotency-Key", "t/1"), ("Prefer", "wait=20")])
    #expect(again.status == 200, "\(again.text)")
    #expect(try await waits.entries() == [3])
  }
}
