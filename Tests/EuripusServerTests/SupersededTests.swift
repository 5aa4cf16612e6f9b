// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Sessions
import Testing

/// A client that has as many sessions as it may have, over HTTP (PROTOCOL §2, §7).
@Suite(.timeLimit(.minutes(30))) struct `A browser with many tabs` {
  private func server(_ configure: (inout ServerConfiguration) -> Void = { _ in }) throws -> TestServer {
    try TestServer([.hosting { Page() }], configure: configure)
  }

  @Test func `is told which of them ended for a newer one, also in a poll and a stream that come later`() throws {
    let client = try server { $0.sessions.maxSessionsPerClient = 1 }.client()
    let first = try client.open("page")
    let memory = try #require(try client.metric("euripus_session_memory_bytes"))
    _ = try client.open("page")
    #expect(try client.metric("euripus_session_memory_bytes") == memory)
    #expect(try client.metric(#"euripus_sessions{model="page"}"#) == 1)
    #expect(try client.metric(#"euripus_sessions_ended_total{model="page",reason="superseded"}"#) == 1)
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
    let server = try server { $0.sessions.openingRate = Rate(1, per: .seconds(3_600), burst: 2) }
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
    let folder = try PublicFolder(["store/empty": ""])
    let server = try server {
      $0.sessions.storage = .sqlite("\(folder.path)/store/sessions.db")
      $0.sessions.openingRate = Rate(1, per: .seconds(3_600), burst: 3)
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
@Suite(.timeLimit(.minutes(30))) struct `A problem of a limit` {
  struct Case: Sendable, CustomTestStringConvertible {
    let limit: String
    let scope: String
    let problem: String
    /// The seconds to wait; `nil` where these are up to the time that has passed.
    var wait: Int?
    /// Sets the limit so low that `request` meets it.
    let meet: @Sendable (inout ServerConfiguration) -> Void
    /// Gives the answer to one request more. There is a session on `page` at `url` already.
    let request: @Sendable (TestClient, TestServer, _ url: String) throws -> TestClient.Response
    var testDescription: String { "\(limit) \(scope)" }
  }

  private static let once = Rate(1, per: .seconds(3_600), burst: 1)
  private typealias Request = @Sendable (TestClient, TestServer, String) throws -> TestClient.Response
  private static let open: Request = { client, _, _ in try client.request("POST", "/sessions/page") }
  private static let openAnew: Request = { _, server, _ in try server.client().request("POST", "/sessions/page") }

  /// Opens a second session while a reader waits in the first.
  private static let openBesideReader: Request = { client, _, url in
    let stream = try TestStream("\(url)/changes", of: client)
    // The server counts the stream as a reader from the first frame on.
    _ = try stream.nextEvent()
    defer { withExtendedLifetime(stream) {} }
    return try client.request("POST", "/sessions/page")
  }

  /// Changes a session twice, with numbered keys of two names.
  private static let change: Request = { client, _, url in
    _ = try client.request("PUT", "\(url)/state/text", #""a""#, fields: [("Idempotency-Key", "a/1")])
    return try client.request("PUT", "\(url)/state/text", #""b""#, fields: [("Idempotency-Key", "b/1")])
  }

  static let cases = [
    Case(
      limit: "max-sessions", scope: "server", problem: "too-many-sessions", wait: 60,
      meet: { $0.sessions.maxSessions = 1 }, request: openAnew),
    Case(
      limit: "sessions-per-client", scope: "client", problem: "too-many-sessions", wait: 60,
      meet: { $0.sessions.maxSessionsPerClient = 1 }, request: openBesideReader),
    // The first session is let in, as no memory is used yet.
    Case(
      limit: "max-memory", scope: "client", problem: "too-many-sessions", wait: 60,
      meet: { $0.sessions.maxMemoryBytes = 1 }, request: open),
    Case(
      limit: "max-memory", scope: "server", problem: "overloaded", wait: 10, meet: { $0.sessions.maxMemoryBytes = 1 },
      request: openAnew),
    Case(
      limit: "openings-per-minute", scope: "client", problem: "too-many-requests",
      meet: { $0.sessions.openingRate = once }, request: open),
    Case(
      limit: "openings-per-minute", scope: "address", problem: "too-many-requests",
      meet: { $0.sessions.openingRate = once }, request: openAnew),
    Case(
      limit: "actions-per-second", scope: "session", problem: "too-many-requests",
      meet: { $0.sessions.actionRate = once }, request: change),
    Case(
      limit: "key-names", scope: "session", problem: "too-many-requests", meet: { $0.sessions.maxKeyNames = 1 },
      request: change),
  ]

  @Test(arguments: cases) func `says which limit and of whom, when to come again, and is counted`(_ example: Case)
    throws
  {
    let opened = try Opened([.hosting { Page() }], "page", configure: example.meet)
    let refused = try example.request(opened.client, opened.server, opened.url)
    #expect(refused.status == (example.problem == "overloaded" ? 503 : 429))
    #expect(refused.problem == example.problem)
    #expect(refused.json?["limit"] == .string(example.limit))
    #expect(refused.json?["scope"] == .string(example.scope))
    let wait = try #require(refused["Retry-After"].flatMap { Int($0) })
    #expect(refused.json?["retryAfter"] == .integer(Int64(wait)))
    if let expected = example.wait { #expect(wait == expected) } else { #expect(wait > 1_000) }
    // The text tells a person what to do.
    #expect(refused.text.contains("expected"), "\(refused.text)")
    #expect(try opened.client.metric("euripus_limit_refusals_total{limit=\"\(example.limit)\"}") == 1)
  }

  @Test func `is for newcomers where the store is nearly full, and those who are there go on`() throws {
    let folder = try PublicFolder(["store/empty": ""])
    let server = try TestServer([.hosting { Page() }]) {
      $0.sessions.storage = .sqlite("\(folder.path)/store/sessions.db")
      $0.sessions.openingRate = nil
      $0.sessions.maxStoreBytes = 1 << 20
    }
    let client = try server.client()
    var refused: TestClient.Response
    var newest: (cookie: String?, url: String)?
    repeat {
      client.cookie = nil
      refused = try client.request("POST", "/sessions/page")
      if let url = refused["Location"] { newest = (client.cookie, url) }
    } while refused.status == 201
    #expect((refused.status, refused.problem) == (503, "overloaded"))
    #expect(refused.json?["limit"] == "max-store" && refused.json?["scope"] == "server")
    #expect(refused["Retry-After"] == "60")
    let (cookie, url) = try #require(newest)
    client.cookie = cookie
    #expect(try client.request("PUT", "\(url)/state/text", #""a""#).status == 200)
    #expect(try client.request("GET", "/readyz").status == 200)
    #expect(try client.metric("euripus_limit_refusals_total{limit=\"max-store\"}") == 1)
    #expect(try client.metric("euripus_store_limit_bytes") == 1 << 20)
  }
}
