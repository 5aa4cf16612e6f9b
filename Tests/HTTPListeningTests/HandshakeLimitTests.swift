// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

/// The limits of handshakes under way. A client that connects and sends nothing has one.
@Suite(.timeLimit(.minutes(30))) struct HandshakeLimitTests {
  private let certificate: TestCertificate

  init() throws { certificate = try TestCertificate.shared.get() }

  private func withListener(
    clock: TestClock = TestClock(), configure: (inout HTTPListenerConfiguration) -> Void,
    _ body: (HTTPListener) throws -> Void
  ) throws {
    // With one loop, an answer to one client proves that the loop has read the end of an earlier handshake.
    try HTTPListeningTests.withListener(
      clock: clock,
      configure: {
        $0.tls = certificate.identity
        configure(&$0)
      }, body)
  }

  /// A client that has been answered, from 127.0.0.1.
  private func served(_ listener: HTTPListener, _ options: [String] = []) throws -> RawClient {
    let client = try RawClient.tls(port: listener.port, options: options)
    try client.send(get)
    #expect(try client.receive().status == 200)
    return client
  }

  @Test func `one handshake more of an address is closed at once, and another address is not concerned`() throws {
    try withListener(configure: { $0.maxHandshakesPerAddress = 2 }) { listener in
      let silent = try (0..<2).map { _ in try RawClient(port: listener.port, from: 2) }
      for _ in 0..<3 { #expect(try RawClient(port: listener.port, from: 2).isClosedByServer()) }
      _ = try served(listener)
      let counts = listener.counts
      #expect((counts.refusedHandshakesPerAddress, counts.refusedHandshakes) == (3, 0))
      #expect(counts.accepted == 3)
      withExtendedLifetime(silent) {}
    }
  }

  @Test func `one handshake more than may be at once is closed, from whichever address`() throws {
    try withListener(configure: { $0.maxHandshakes = 3 }) { listener in
      let silent = try (2..<5).map { try RawClient(port: listener.port, from: $0) }
      for source in [1, 2, 9] as [UInt8] {
        #expect(try RawClient(port: listener.port, from: source).isClosedByServer())
      }
      #expect((listener.counts.refusedHandshakes, listener.counts.refusedHandshakesPerAddress) == (3, 0))
      withExtendedLifetime(silent) {}
    }
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `a finished handshake counts no more, though its connection goes on`(version: String) throws {
    try withListener(configure: { $0.maxHandshakesPerAddress = 1 }) { listener in
      var clients = try (0..<3).map { _ in try served(listener, [version]) }
      // A browser connects before it has a request, and its handshake is over all the same.
      let idle = try RawClient.idleTLS(port: listener.port, options: [version])
      clients.append(try served(listener, ["-bind", "127.0.0.2:0"]))
      clients.append(try served(listener, [version]))
      #expect((listener.counts.refusedHandshakesPerAddress, listener.counts.connections) == (0, 6))
      withExtendedLifetime((clients, idle)) {}
    }
  }

  @Test func `a handshake that fails or takes too long counts no more`() throws {
    let clock = TestClock()
    try withListener(clock: clock, configure: { $0.maxHandshakesPerAddress = 1 }) { listener in
      for _ in 0..<3 {
        let plain = try RawClient(port: listener.port, from: 2)
        try plain.send(get)
        #expect(try plain.isClosedInTheEnd())
      }
      let slow = try RawClient(port: listener.port, from: 2)
      #expect(try RawClient(port: listener.port, from: 2).isClosedByServer())
      clock.pass(.seconds(11), for: listener)
      #expect(try slow.isClosedByServer())
      _ = try served(listener)
      let again = try RawClient(port: listener.port, from: 2)
      #expect(try RawClient(port: listener.port, from: 2).isClosedByServer())
      #expect(listener.counts.refusedHandshakesPerAddress == 2)
      withExtendedLifetime(again) {}
    }
  }

  @Test func `handshakes of an exempt address count in all alone`() throws {
    try withListener(configure: {
      $0.maxHandshakesPerAddress = 1
      $0.maxHandshakes = 4
      $0.isExemptFromAddressLimit = { $0 == "127.0.0.2" }
    }) { listener in
      let silent = try (0..<4).map { _ in try RawClient(port: listener.port, from: 2) }
      #expect(try RawClient(port: listener.port, from: 2).isClosedByServer())
      #expect((listener.counts.refusedHandshakes, listener.counts.refusedHandshakesPerAddress) == (1, 0))
      withExtendedLifetime(silent) {}
    }
  }

  @Test func `connections without TLS have no handshake`() throws {
    try HTTPListeningTests.withListener(configure: { ($0.maxHandshakes, $0.maxHandshakesPerAddress) = (1, 1) }) {
      listener in
      let silent = try (0..<3).map { _ in try RawClient(port: listener.port) }
      #expect(try listener.answer().status == 200)
      withExtendedLifetime(silent) {}
    }
  }
}
