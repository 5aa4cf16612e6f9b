// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Sessions
import Testing

/// A client that has as many sessions as it may have, over HTTP (PROTOCOL §2, §7).
@Suite(.timeLimit(.minutes(5))) struct `A browser with many tabs` {
  private func server(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws -> TestServer {
    try TestServer([.hosting { Page() }], configure: configure)
  }

  /// The value of a metric in `/metrics`; `nil` if it is not there.
  private func metric(_ name: String, _ client: TestClient) throws -> Int? {
    let line = try client.request("GET", "/metrics").text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return line.flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  @Test func `opens and closes sixty of them and then one more, and the memory is that of twenty`() throws {
    let client = try server().client()
    let first = try client.open("page")
    let one = try #require(try metric("euripus_session_memory_bytes", client))
    var last = first
    for _ in 0..<60 {
      last = try client.open("page")
      #expect(try client.request("GET", last).status == 200)
      #expect(try client.request("POST", "\(last)/leaving").status == 204)
    }
    last = try client.open("page")
    #expect(try client.request("GET", last).status == 200)
    #expect(try metric("euripus_session_memory_bytes", client) == 20 * one)
    #expect(try metric(#"euripus_sessions{model="page"}"#, client) == 20)
    #expect(try metric(#"euripus_sessions_ended_total{model="page",reason="superseded"}"#, client) == 42)
    // The sessions that were left have made room, and not this one, which is the oldest.
    #expect(try client.request("GET", first).status == 200)
  }

  @Test func `is told which of them ended for a newer one, also in a poll and a stream that come later`() throws {
    let client = try server { $0.sessions.maxSessionsPerClient = 1 }.client()
    let first = try client.open("page")
    _ = try client.open("page")
    for path in ["", "/state/text", "/changes", "/changes?since=a.1"] {
      for accept in ["application/json", "text/event-stream"] {
        let answer = try client.request("GET", first + path, fields: [("Accept", accept), ("Prefer", "wait=5")])
        #expect((answer.status, answer.problem) == (410, "session-closed"))
        #expect(answer.json?["reason"] == "superseded")
      }
    }
    #expect(try client.request("DELETE", first).json?["reason"] == "superseded")
    // A session that the client closes itself has no reason.
    let second = try client.open("page")
    #expect(try client.request("DELETE", second).status == 204)
    let closed = try client.request("GET", second)
    #expect(closed.status == 410 && closed.json?["reason"] == nil)
  }

  @Test func `learns of it after a restart too`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "superseded-\(UUID().uuidString).db").path
    defer { for end in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let configure: (inout ServerConfiguration) -> Void = {
      $0.sessions.storage = .sqlite(path)
      $0.sessions.maxSessionsPerClient = 1
    }
    let before = try server(configure)
    let client = try before.client()
    let (first, second) = (try client.open("page"), try client.open("page"))
    #expect(try client.request("GET", first).json?["reason"] == "superseded")
    before.stop()
    let after = try server(configure)
    let again = try after.client()
    again.goOn(with: client.cookie)
    #expect(try again.request("GET", first).json?["reason"] == "superseded")
    #expect(try again.request("GET", second).status == 200)
    // A session that is in the store alone ends as well.
    after.stop()
    let last = try server(configure)
    let client3 = try last.client()
    client3.goOn(with: client.cookie)
    _ = try client3.open("page")
    #expect(try client3.request("GET", second).json?["reason"] == "superseded")
  }

  @Test func `closes one as a beacon can say it, and comes back to it by loading it again`() throws {
    let client = try server().client()
    let url = try client.open("page")
    for fields in [[], [("Content-Type", "text/plain;charset=UTF-8")], [("Sec-Fetch-Site", "same-origin")]] {
      #expect(try client.request("POST", "\(url)/leaving", fields: fields).status == 204)
      #expect(try client.request("GET", url).status == 200)
    }
    #expect(
      try client.request("POST", "\(url)/leaving", fields: [("Sec-Fetch-Site", "cross-site")]).problem == "cross-site")
  }

  @Test func `opens them by its own rate, while its address has let in as many new clients as it may`() throws {
    let server = try server { $0.sessions.openingRate = Rate(1, per: .seconds(60), burst: 2) }
    let (one, other) = (try server.client(), try server.client())
    _ = try one.open("page")
    _ = try other.open("page")
    let stranger = try server.client().request("POST", "/sessions/page")
    #expect((stranger.status, stranger.json?["scope"]) == (429, "address"))
    #expect(stranger.text.contains("with the key of a client that has a session"))
    _ = try one.open("page")
    let refused = try one.request("POST", "/sessions/page")
    #expect((refused.status, refused.json?["scope"]) == (429, "client"))
    _ = try other.open("page")
    // A request for a token comes from a new client, whatever its cookie says.
    let token = try other.request("POST", "/sessions/page", #"{"auth":"bearer"}"#)
    #expect((token.status, token.json?["scope"]) == (429, "address"))
  }

  /// The server looks up in the store whether it knows a key. It handles such a request twice, and counts it once.
  @Test func `that nobody knows is counted by its address, with one key or two, where there is a store`() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "rates-\(UUID().uuidString).db").path
    defer { for end in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) } }
    let server = try server {
      $0.sessions.storage = .sqlite(path)
      $0.sessions.openingRate = Rate(1, per: .seconds(60), burst: 3)
    }
    let client = try server.client()
    let name = "euripus-\(server.port)"
    let answers = try (0..<6).map { number in
      client.cookie = "\(name)=a\(number)" + (number % 2 == 0 ? "" : "; \(name)=b\(number)")
      return try client.request("POST", "/sessions/page").status
    }
    #expect(answers == [201, 201, 201, 429, 429, 429])
  }
}

/// A refusal at a limit, for programs (PROTOCOL §7).
@Suite(.timeLimit(.minutes(5))) struct `A problem of a limit` {
  struct Case: Sendable, CustomTestStringConvertible {
    let limit: String
    let scope: String
    var wait: Int?
    /// Sets the limit so low that `request` meets it.
    let meet: @Sendable (inout ServerConfiguration) -> Void
    let request: @Sendable (TestClient, TestServer) throws -> TestClient.Response
    var testDescription: String { "\(limit) \(scope)" }
  }

  private static let open: @Sendable (TestClient, TestServer) throws -> TestClient.Response = { client, _ in
    _ = try client.open("page")
    return try client.request("POST", "/sessions/page")
  }

  /// Opens a second session while a reader waits in the first.
  private static let openBesideReader: @Sendable (TestClient, TestServer) throws -> TestClient.Response = { client, _ in
    let url = try client.open("page")
    let stream = try TestStream("\(url)/changes", of: client)
    // The server counts the stream as a reader from the first frame on.
    _ = try stream.nextEvent()
    defer { withExtendedLifetime(stream) {} }
    return try client.request("POST", "/sessions/page")
  }

  static let cases = [
    Case(
      limit: "max-sessions", scope: "server", wait: 60, meet: { $0.sessions.maxSessions = 1 },
      request: { client, server in
        _ = try client.open("page")
        return try server.client().request("POST", "/sessions/page")
      }),
    Case(
      limit: "sessions-per-client", scope: "client", wait: 60, meet: { $0.sessions.maxSessionsPerClient = 1 },
      request: Self.openBesideReader),
    Case(limit: "max-memory", scope: "client", wait: 60, meet: { $0.sessions.maxMemoryBytes = 1 }, request: Self.open),
    Case(
      limit: "max-memory", scope: "server", wait: 10, meet: { $0.sessions.maxMemoryBytes = 1 },
      request: { client, server in
        _ = try client.open("page")
        return try server.client().request("POST", "/sessions/page")
      }),
    Case(
      limit: "openings-per-minute", scope: "client",
      meet: { $0.sessions.openingRate = Rate(1, per: .seconds(60), burst: 1) }, request: Self.open),
    Case(
      limit: "openings-per-minute", scope: "address",
      meet: { $0.sessions.openingRate = Rate(1, per: .seconds(60), burst: 1) },
      request: { client, server in
        _ = try client.open("page")
        return try server.client().request("POST", "/sessions/page")
      }),
    Case(
      limit: "actions-per-second", scope: "session",
      meet: { $0.sessions.actionRate = Rate(1, per: .seconds(60), burst: 1) },
      request: { client, _ in
        let url = try client.open("page")
        _ = try client.request("PUT", "\(url)/state/text", #""a""#)
        return try client.request("PUT", "\(url)/state/text", #""b""#)
      }),
    Case(
      limit: "key-names", scope: "session", meet: { $0.sessions.maxKeyNames = 1 },
      request: { client, _ in
        let url = try client.open("page")
        _ = try client.request("PUT", "\(url)/state/text", #""a""#, fields: [("Idempotency-Key", "a/1")])
        return try client.request("PUT", "\(url)/state/text", #""b""#, fields: [("Idempotency-Key", "b/1")])
      }),
  ]

  @Test(arguments: cases) func `says which one, whose it is, and when to come again`(_ example: Case) throws {
    let server = try TestServer([.hosting { Page() }], configure: example.meet)
    let refused = try example.request(try server.client(), server)
    #expect(refused.status == 429 || refused.status == 503)
    #expect(refused.json?["limit"] == .string(example.limit))
    #expect(refused.json?["scope"] == .string(example.scope))
    let wait = try #require(refused["Retry-After"].flatMap { Int64($0) })
    #expect(refused.json?["retryAfter"] == .integer(wait))
    if let expected = example.wait { #expect(wait == Int64(expected)) }
    // The text tells a person what to do.
    #expect(refused.text.contains("expected"), "\(refused.text)")
  }
}
