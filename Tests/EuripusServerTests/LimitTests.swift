// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

@testable import EuripusServer
@testable import HTTPListening

/// A view model whose state is as long as a client makes it.
final class Page: ViewModel {
  let text = Observable("")
  let copies = Observable([String]())
  let copy = Observer<Int>()
  init() { copy.handle(self) { page, count in page.copies.value = Array(repeating: page.text.value, count: count) } }
  static let surface = Surface<Page>(
    "page", .twoWay("text", \.text), .value("copies", \.copies), .action("copy", \.copy))
}

/// A view model with commands that write before they first wait, and end at once.
private final class Writing: ViewModel {
  let text = Observable("")
  let note = Observable("")
  let write: Command<Int, Int>
  let shorten: Command<Int, Int>
  init() {
    write = Command(text) { text, count, _ in
      try text().set(String(repeating: "x", count: count))
      return 0
    }
    shorten = Command(note) { note, count, _ in
      try note().set(String(try note().value.prefix(count)))
      return 0
    }
  }
  static let surface = Surface<Writing>(
    "writing", .twoWay("text", \.text), .twoWay("note", \.note), .command("write", \.write),
    .command("shorten", \.shorten))
}

@Suite(.timeLimit(.minutes(5))) struct `A limit` {
  private func server(_ configure: (inout ServerConfiguration) -> Void) throws -> TestServer {
    try TestServer([.hosting { Page() }], configure: configure)
  }

  /// The value of a metric in `/metrics`; `nil` if it is not there.
  private func metric(_ name: String, _ client: TestClient) throws -> Int? {
    let line = try client.request("GET", "/metrics").text.split(separator: "\n").first { $0.hasPrefix(name + " ") }
    return line.flatMap { Int($0.dropFirst(name.count + 1)) }
  }

  @Test func `of connections from an address is not a trusted proxy's, but that of all connections is`() throws {
    for (proxies, served) in [([], 2), (["192.0.2.0/24"], 2), (["192.0.2.1", "127.0.0.0/8"], 4)] as [([String], Int)] {
      let server = try server {
        $0.trustedProxies = proxies
        $0.listener.maxConnectionsPerAddress = 2
        $0.listener.maxConnections = 4
      }
      let clients = try (0..<served).map { _ in
        let client = try server.client()
        #expect(try client.request("GET", "/healthz").status == 200)
        return client
      }
      #expect(try server.client().isClosedByServer())
      let limit = served == 2 ? "max-connections-per-address" : "max-connections"
      #expect(try metric("euripus_limit_refusals_total{limit=\"\(limit)\"}", clients[0]) == 1)
      withExtendedLifetime(clients) {}
    }
  }

  @Test func `of a stream that nobody takes has a count of its own, beside that of a response`() {
    var stalled = HTTPListenerCounts()
    (stalled.stalledStreams, stalled.lateResponses) = (4, 3)
    let counts = stalled
    let registry = MetricRegistry()
    registry.read("refusals", .counter, "") { ListenerReadings.refusals(counts) }
    let lines = registry.text().split(separator: "\n")
    #expect(lines.contains(#"refusals{limit="stream-stall"} 4"#))
    #expect(lines.contains(#"refusals{limit="response-time"} 3"#))
  }

  @Test func `of a state lets it be as long as that, and undoes what would make it a byte longer`() throws {
    let empty = #"{"text":"","copies":[]}"#.utf8.count
    let limit = empty + 1_000
    let client = try server { $0.sessions.maxStateBytes = limit }.client()
    let url = try client.open("page")
    let fits = String(repeating: "x", count: 1_000)
    #expect(try client.request("PUT", "\(url)/state/text", "\"\(fits)\"").status == 200)
    let before = try client.request("GET", url)
    let refused = try client.request("PUT", "\(url)/state/text", "\"\(fits)y\"")
    #expect(refused.status == 507)
    #expect(refused.problem == "state-too-large")
    #expect(refused.text.contains("would have \(limit + 1) bytes; it may have \(limit)"))
    // A small request may make a large state.
    #expect(try client.request("POST", "\(url)/actions/copy", "2000").status == 507)
    let after = try client.request("GET", url)
    #expect(after.body == before.body)
    #expect(after["ETag"] == before["ETag"])
    // The state may become shorter, and then grow again.
    #expect(try client.request("PUT", "\(url)/state/text", #""""#).status == 200)
    #expect(try client.request("POST", "\(url)/actions/copy", "333").status == 200)
    #expect(try client.request("POST", "\(url)/actions/copy", "334").status == 507)
    #expect(try metric(#"euripus_limit_refusals_total{limit="max-state"}"#, client) == 3)
  }

  @Test func `of a state holds for many actions at once, of which none is done then`() throws {
    let limit = #"{"text":"","copies":[]}"#.utf8.count + 100
    let client = try server { $0.sessions.maxStateBytes = limit }.client()
    let url = try client.open("page")
    let set = { (count: Int) in #"{"set":"/text","value":"\#(String(repeating: "x", count: count))"}"# }
    // The limit holds for the state after all changes: in between, the state may be too long.
    let passes = try client.request("POST", "\(url)/actions", "[\(set(1000)),\(set(100))]")
    #expect(passes.status == 200, "\(passes.text)")
    let before = try client.request("GET", url)
    let refused = try client.request("POST", "\(url)/actions", "[\(set(0)),\(set(101))]")
    #expect(refused.problem == "state-too-large", "\(refused.text)")
    let after = try client.request("GET", url)
    #expect(after.body == before.body)
  }

  @Test func `of a state holds for what commands write before they first wait, alone and among many`() async throws {
    let limit = 1_000
    let server = try TestServer([.hosting { Writing() }]) { $0.sessions.maxStateBytes = limit }
    let client = try server.client()
    let url = try await client.open("writing")
    let before = try await client.request("GET", url)
    let alone = try await client.request("POST", "\(url)/actions/write", "1000")
    #expect(alone.status == 507, "\(alone.text)")
    let many = #"[{"set":"/note","value":"new"},{"do":"/write","value":1000}]"#
    let refused = try await client.request("POST", "\(url)/actions", many)
    #expect(refused.status == 507, "\(refused.text)")
    #expect(refused.problem == "state-too-large")
    let after = try await client.request("GET", url)
    #expect(after.body == before.body)
    #expect(after["ETag"] == before["ETag"])
    // A state that would be too long without the command is refused before the command begins.
    let shortened = #"[{"set":"/note","value":"\#(String(repeating: "y", count: 1000))"},{"do":"/shorten","value":3}]"#
    #expect(try await client.request("POST", "\(url)/actions", shortened).status == 507)
    let fits = #"[{"set":"/note","value":"longer"},{"do":"/write","value":500},{"do":"/shorten","value":3}]"#
    let passed = try await client.request("POST", "\(url)/actions", fits)
    #expect(passed.status == 200, "\(passed.text)")
    let state = try await client.request("GET", url).json?["state"]
    #expect(state?["note"] == "lon")
    #expect(state?["text"] == .string(String(repeating: "x", count: 500)))
  }

  @Test func `of a state is one of the state that a session begins with, too`() throws {
    let length = #"{"text":"","copies":[]}"#.utf8.count
    let (fits, not) = (
      try server { $0.sessions.maxStateBytes = length }, try server { $0.sessions.maxStateBytes = length - 1 }
    )
    #expect(try fits.client().request("POST", "/sessions/page").status == 201)
    let refused = try not.client().request("POST", "/sessions/page")
    #expect(refused.problem == "state-too-large")
    #expect(not.sessionCount == 0)
  }

  @Test func `of actions refuses those that come faster, says when to come back, and lets reading be`() throws {
    let client = try server { configuration in
      configuration.sessions.actionRate = Rate(1, per: .seconds(1), burst: 1)
    }.client()
    let url = try client.open("page")
    // Even on a slow machine, two of these requests come within a second.
    let answers = try (0..<100).map { try client.request("PUT", "\(url)/state/text", "\"\($0)\"") }
    let refused = answers.filter { $0.status != 200 }
    #expect(answers[0].status == 200)
    #expect(!refused.isEmpty)
    #expect(refused.allSatisfy { $0.problem == "too-many-requests" && $0["Retry-After"] == "1" })
    #expect(try client.request("GET", url).status == 200)
    #expect(try client.request("GET", "\(url)/changes").status == 200)
    #expect(
      try metric(#"euripus_limit_refusals_total{limit="actions-per-second"}"#, client) == refused.count)
  }

  @Test func `of openings is one for each address, of clients that have no session`() throws {
    let server = try server { configuration in
      configuration.sessions.openingRate = Rate(1, per: .seconds(60), burst: 2)
    }
    let client = try server.client()
    let open = {
      client.cookie = nil
      return try client.request("POST", "/sessions/page")
    }
    for _ in 0..<2 { #expect(try open().status == 201) }
    let refused = try open()
    #expect(refused.status == 429)
    #expect(refused.problem == "too-many-requests")
    let wait = try #require(refused["Retry-After"].flatMap { Int($0) })
    #expect((1...60).contains(wait))
    #expect(server.sessionCount == 2)
    #expect(try metric(#"euripus_limit_refusals_total{limit="openings-per-minute"}"#, client) == 1)
  }

  @Test func `of openings is one for each client of a trusted proxy`() throws {
    let server = try server { configuration in
      configuration.sessions.openingRate = Rate(1, per: .seconds(60), burst: 1)
      configuration.trustedProxies = ["127.0.0.1"]
    }
    let client = try server.client()
    let opening = { (client: TestClient, address: String) in
      // A request without a cookie comes from a new client.
      client.cookie = nil
      return try client.request("POST", "/sessions/page", fields: [("X-Forwarded-For", address)]).status
    }
    #expect(try opening(client, "192.0.2.1") == 201)
    #expect(try opening(client, "192.0.2.1") == 429)
    #expect(try opening(client, "192.0.2.2") == 201)
    // A proxy that is not trusted counts as one client, whichever clients it names.
    let other = try TestClient(port: server.port, from: "127.0.0.2")
    #expect(try opening(other, "192.0.2.3") == 201)
    #expect(try opening(other, "192.0.2.4") == 429)
  }

  @Test func `of sessions is met by the one that is one too many`() throws {
    let client = try server { $0.sessions.maxSessions = 2 }.client()
    let first = try client.open("page")
    _ = try client.open("page")
    let newcomer = try TestClient(port: client.port)
    let refused = try newcomer.request("POST", "/sessions/page")
    #expect(refused.problem == "too-many-sessions")
    #expect(refused["Retry-After"] == "60")
    #expect(try client.request("DELETE", first).status == 204)
    #expect(try newcomer.request("POST", "/sessions/page").status == 201)
    #expect(try metric(#"euripus_limit_refusals_total{limit="max-sessions"}"#, client) == 1)
  }

  @Test func `of memory is met by who opens a session`() throws {
    let client = try server { $0.sessions.maxMemoryBytes = 1 }.client()
    // The first session is let in, as no memory is used yet.
    _ = try client.open("page")
    let refused = try TestClient(port: client.port).request("POST", "/sessions/page")
    #expect(refused.status == 503)
    #expect(refused.problem == "overloaded")
    #expect(refused["Retry-After"] == "10")
    let refusedToo = try client.request("POST", "/sessions/page")
    #expect(refusedToo.problem == "too-many-sessions")
    #expect(try metric(#"euripus_limit_refusals_total{limit="max-memory"}"#, client) == 2)
  }
}
