// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// Each setting of keys and of polls has its effect, under its name and with its own value.
@Suite(.timeLimit(.minutes(30))) struct `The server's configuration` {
  typealias Place = any WritableKeyPath<ServerConfiguration, Int> & Sendable

  @Test(
    arguments: [
      (\.sessions.maxKeys, 2, "abcb", "3"), (\.sessions.maxKeys, 1, "abcb", "4"),
      (\.sessions.maxKeyBytes, 1_024, "abcdefgha", "9"), (\.sessions.maxKeyBytes, 4_096, "abcdefgha", "8"),
    ] as [(Place, Int, String, String)])
  func `sets the number of keys that a session remembers, and their bytes`(
    place: Place, limit: Int, keys: String, count: String
  ) throws {
    let opened = try Opened { $0[keyPath: place] = limit }
    for key in keys { #expect(try opened.add(1, [("Idempotency-Key", "\(key)")]).status == 200) }
    #expect(try opened.get("/state/count").text == count)
  }

  @Test(
    arguments: [
      (\.sessions.maxPollsPerSession, 2),
      (\.sessions.maxPollsPerClient, 3),
      (\.sessions.maxPollsPerClient, 8),
    ] as [(Place, Int)])
  func `sets the number of polls that wait, of a client and in a session, and all are counted`(
    place: Place, count: Int
  ) throws {
    let opened = try Opened { $0[keyPath: place] = count }
    let polls = try (0...count).map { _ in try opened.poll() }
    let displaced = try #require(TestClient.firstReadable(of: polls))
    let released = try polls[displaced].receive()
    #expect((released.status, released["Retry-After"]) == (204, "2"))
    #expect(try opened.client.metric("euripus_polls_waiting") == count)
    #expect(try opened.client.metric("euripus_polls_displaced_total") == 1)
    try opened.add()
    // If fewer polls had room, one of these would have been displaced as well.
    for index in polls.indices where index != displaced { #expect(try polls[index].receive().status == 200) }
    #expect(try opened.client.metric("euripus_polls_waiting") == 0)
  }

  struct Fault: Sendable, CustomTestStringConvertible {
    /// A part of the error's text.
    let text: String
    let configure: @Sendable (inout ServerConfiguration) -> Void
    var testDescription: String { text }
  }

  static let faults =
    [
      Fault(text: "https://app.example") { $0.allowedOrigins = ["https://app.example/"] },
      Fault(text: "10.0.0.0/8") { $0.trustedProxies = ["proxy.example"] },
      Fault(text: "") { $0.userHeader = UserHeader("X-User") },
      Fault(text: "no proxy is trusted; expected the proxy's address") { $0.hostNames = ["*"] },
      Fault(text: "'/nonexistent'") { $0.publicDirectory = "/nonexistent" },
      Fault(text: "expected an address of this machine alone") {
        $0.administration = .address(host: "0.0.0.0", port: 0)
      },
    ]
    + ["0.0.0.0", "::", "192.0.2.1", "app.example"].map { host in
      Fault(text: host) { ($0.listener.host, $0.isInDevelopment) = (host, true) }
    }
    + [
      ("default-src 'self'\r\nSet-Cookie: a=b", "control characters"), ("default-src 'self', img-src *", "commas"),
      ("default-src 'none' ; img-src a ; img-src b", "'img-src' is there twice"),
      ("'self'", "''self'' is no directive"), ("img-src " + String(repeating: "a", count: 2_041), "2049 bytes"),
    ].map { policy, fault in Fault(text: fault) { $0.contentSecurityPolicy = ContentSecurityPolicy(policy) } }

  @Test(arguments: faults) func `with a fault is an error at the start`(_ fault: Fault) throws {
    let error = #expect(throws: ServerError.self) { _ = try TestServer([], configure: fault.configure) }
    #expect(error.map { fault.text.isEmpty || "\($0)".contains(fault.text) } == true, "\(String(describing: error))")
  }
}
