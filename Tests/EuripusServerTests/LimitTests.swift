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

@Suite(.timeLimit(.minutes(30))) struct `A limit` {
  private func server(_ configure: (inout ServerConfiguration) -> Void) throws -> TestServer {
    try TestServer([.hosting { Page() }], configure: configure)
  }

  @Test func `on connections from an address is not a trusted proxy's, but that on all connections is`() throws {
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
      #expect(try clients[0].metric("euripus_limit_refusals_total{limit=\"\(limit)\"}") == 1)
      withExtendedLifetime(clients) {}
    }
  }

  @Test func `on connections is kept by closing idle ones, and those of known clients last`() throws {
    let server = try server { ($0.listener.loops, $0.listener.maxConnections) = (1, 32) }
    let client = try server.client()
    let url = try client.open("page")
    try #require(try client.request("GET", url).status == 200)
    let strangers = try (0..<64).map { _ in
      let stranger = try server.client()
      #expect(try stranger.request("GET", "/healthz").status == 200)
      return stranger
    }
    #expect(try client.request("GET", url).status == 200)
    #expect(try client.metric("euripus_connections_crowded_out_total") ?? 0 > 16)
    withExtendedLifetime(strangers) {}
  }

  @Test func `on connections is in the log when it is met, once a minute`() {
    var (watch, counts) = (CrowdWatch(), HTTPListenerCounts())
    let start = ContinuousClock.now
    var closed: [Int?] = []
    func look(after seconds: Int) { closed.append(watch.news(counts, at: start + .seconds(seconds))?.closed) }
    look(after: 0)
    (counts.crowdedOut, counts.refusedAtLimit) = (3, 4)
    look(after: 1)
    counts.crowdedOut = 5
    for seconds in [60, 61] { look(after: seconds) }
    #expect(closed == [nil, 7, nil, 2])
  }

  @Test func `on a stream that nobody takes has a count of its own, beside that of a response`() {
    var stalled = HTTPListenerCounts()
    (stalled.stalledStreams, stalled.lateResponses) = (4, 3)
    let counts = stalled
    let registry = MetricRegistry()
    registry.read("refusals", .counter, "") { ListenerReadings.refusals(counts) }
    let lines = registry.text().split(separator: "\n")
    #expect(lines.contains(#"refusals{limit="stream-stall"} 4"#))
    #expect(lines.contains(#"refusals{limit="response-time"} 3"#))
  }

  @Test func `on a state lets it be as long as that, and undoes a change that would make it a byte longer`() throws {
    let limit = #"{"text":"","copies":[]}"#.utf8.count + 1_000
    let opened = try Opened([.hosting { Page() }], "page") { $0.sessions.maxStateBytes = limit }
    let fits = String(repeating: "x", count: 1_000)
    #expect(try opened.send("PUT", "/state/text", "\"\(fits)\"").status == 200)
    let before = try opened.get()
    let refused = try opened.send("PUT", "/state/text", "\"\(fits)y\"")
    #expect((refused.status, refused.problem) == (507, "state-too-large"))
    #expect(refused.text.contains("would have \(limit + 1) bytes; it may have \(limit)"))
    // A small request may make a large state.
    #expect(try opened.send("POST", "/actions/copy", "2000").status == 507)
    let after = try opened.get()
    #expect((after.body, after["ETag"]) == (before.body, before["ETag"]))
    // The state may become shorter, and then grow again.
    #expect(try opened.send("PUT", "/state/text", #""""#).status == 200)
    #expect(try opened.send("POST", "/actions/copy", "333").status == 200)
    #expect(try opened.send("POST", "/actions/copy", "334").status == 507)
    #expect(try opened.client.metric(#"euripus_limit_refusals_total{limit="max-state"}"#) == 3)
  }

  @Test func `on a state holds for writes of commands before they first wait, alone and among many`() async throws {
    let client = try TestServer([.hosting { Writing() }]) { $0.sessions.maxStateBytes = 1_000 }.client()
    let url = try await client.open("writing")
    let before = try await client.request("GET", url)
    func many(_ note: String, write: Int, shorten: Int) async throws -> TestClient.Response {
      let set = #"{"set":"/note","value":"\#(note)"}"#
      let (write, shorten) = (#"{"do":"/write","value":\#(write)}"#, #"{"do":"/shorten","value":\#(shorten)}"#)
      return try await client.request("POST", "\(url)/actions", "[\(set),\(write),\(shorten)]")
    }
    #expect(try await client.request("POST", "\(url)/actions/write", "1000").status == 507)
    let refused = try await many("new", write: 1_000, shorten: 10)
    #expect((refused.status, refused.problem) == (507, "state-too-large"), "\(refused.text)")
    let after = try await client.request("GET", url)
    #expect((after.body, after["ETag"]) == (before.body, before["ETag"]))
    // A state that would be too long without the command is refused before the command begins.
    #expect(try await many(String(repeating: "y", count: 1_000), write: 0, shorten: 3).status == 507)
    #expect(try await many("longer", write: 500, shorten: 3).status == 200)
    let state = try await client.request("GET", url).json?["state"]
    #expect(state?["note"] == "lon")
    #expect(state?["text"] == .string(String(repeating: "x", count: 500)))
  }

  @Test(arguments: [(0, 201), (1, 507)])
  func `on a state is one on the state that a session begins with, too`(lack: Int, status: Int) throws {
    let server = try server { $0.sessions.maxStateBytes = #"{"text":"","copies":[]}"#.utf8.count - lack }
    let opening = try server.client().request("POST", "/sessions/page")
    #expect((opening.status, opening.problem) == (status, lack == 0 ? nil : "state-too-large"))
    #expect(server.sessionCount == 1 - lack)
  }

  @Test func `on openings is one for each client of a trusted proxy`() throws {
    let server = try server {
      $0.sessions.openingRate = Rate(1, per: .seconds(3_600), burst: 1)
      $0.trustedProxies = ["127.0.0.1"]
    }
    // A proxy that is not trusted counts as one client, whichever clients it names.
    let (proxy, other) = (try server.client(), try TestClient(port: server.port, from: "127.0.0.2"))
    for (client, address, status) in [
      (proxy, "192.0.2.1", 201), (proxy, "192.0.2.1", 429), (proxy, "192.0.2.2", 201), (other, "192.0.2.3", 201),
      (other, "192.0.2.4", 429),
    ] {
      // A request without a cookie comes from a new client.
      client.cookie = nil
      let opening = try client.request("POST", "/sessions/page", fields: [("X-Forwarded-For", address)])
      #expect(opening.status == status, "\(address)")
    }
  }
}
