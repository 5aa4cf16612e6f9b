// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(30))) struct TLSTests {
  private func withListener(
    clock: TestClock? = nil, handler: @escaping @Sendable (HTTPRequest) -> HTTPAnswer = echo,
    _ body: (HTTPListener) throws -> Void
  ) throws {
    let identity = try TestCertificate.shared.get().identity
    try HTTPListeningTests.withListener(clock: clock, configure: { $0.tls = identity }, handler: handler, body)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `requests are served, and are known to be secure`(version: String) throws {
    try withListener(handler: { .now(HTTPResponse("\($0.isSecure) \($0.body.count) \($0.peerAddress)")) }) { listener in
      let client = try RawClient.tls(port: listener.port, options: [version])
      for length in [0, 1, 40_000, 3] {
        try client.send(post(String(repeating: "x", count: length)))
        #expect(try client.receive().text == "true \(length) 127.0.0.1")
      }
    }
  }

  // GnuTLS takes the response a record at a time. It wants the bytes again that the socket had no room for.
  @Test func `a response of many records comes whole, and the connection goes on`() throws {
    let long = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
    try withListener(handler: {
      .now(HTTPResponse(status: 200, fields: [], body: $0.target == "/long" ? long : [0x78]))
    }) {
      listener in
      let client = try RawClient.tls(port: listener.port)
      for target in ["/long", "/short", "/long"] {
        try client.send("GET \(target) HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receive().body == (target == "/long" ? long : [0x78]))
      }
    }
  }

  @Test(arguments: [
    ["-groups", "X25519"], ["-groups", "P-256"], ["-groups", "P-384"], ["-groups", "ffdhe8192:X25519"],
    ["-tls1_2", "-cipher", "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256"],
    ["-tls1_2", "-cipher", "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305"],
    ["-tls1_3", "-ciphersuites", "TLS_AES_256_GCM_SHA384"],
  ])
  func `a client with a quick and safe way to agree on a key is served`(options: [String]) throws {
    try withListener { listener in
      let client = try RawClient.tls(port: listener.port, options: options)
      try client.send(get)
      #expect(try client.receive().status == 200)
    }
  }

  /// Making a key of ffdhe8192 costs 424 ms of a core.
  @Test(arguments: [
    ["-tls1_3", "-groups", "ffdhe8192"], ["-tls1_3", "-groups", "ffdhe2048"], ["-groups", "P-521"],
    ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"],
  ])
  func `a client that can only agree on a key in a slow way, or on TLS 1·1, is refused`(options: [String]) throws {
    try withListener { listener in
      let client = try RawClient.tls(port: listener.port, options: options)
      #expect(try client.isClosedByServer())
    }
  }

  @Test(arguments: Transport.allCases)
  func `pipelined requests are answered in their order`(transport: Transport) throws {
    try transport.withListener { listener in
      let client = try transport.client(listener)
      try client.send((0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
      for number in 0..<50 { #expect(try client.receive().text == "GET /\(number) h ") }
    }
  }

  @Test func `a refused client gets its answer, though it still sends`() throws {
    try withListener { listener in
      let client = try RawClient.tls(port: listener.port)
      try client.send(post(String(repeating: "x", count: 100_000), fields: "Content-Length: 900000"))
      #expect(try client.receive().status == 413)
      #expect(try client.isClosedByServer())
    }
  }

  @Test(arguments: Transport.allCases)
  func `a client that asks first is told to go on`(transport: Transport) throws {
    try transport.withListener { listener in
      let client = try transport.client(listener)
      try client.send(post("", fields: "Content-Length: 4\r\nExpect: 100-continue"))
      #expect(try client.receive().status == 100)
      try client.send("body")
      #expect(try client.receive().text == "POST / h body")
    }
  }

  @Test func `requests wait, are answered, time out and end with their clients`() throws {
    let endings = Mailbox<DeferredReply.Ending>()
    let replies = Mailbox<DeferredReply>()
    try withListener(
      handler: { request in
        let reply = waiting(deadline: request.target == "/short" ? .milliseconds(20) : nil, endings: endings)
        replies.put(reply)
        return .later(reply)
      },
      { listener in
        let client = try RawClient.tls(port: listener.port)
        try client.send(get)
        try replies.take().answer(HTTPResponse("answered"))
        #expect(try client.receive().text == "answered")
        try client.send("GET /short HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try replies.take()
        #expect(try client.receive().text == "timed out")
        #expect(try endings.take() == .timedOut)
        try client.send(get)
        _ = try replies.take()
        client.close()
        #expect(try endings.take() == .clientLeft)
      })
  }

  @Test func `a handshake that stalls and a head that never ends are cut off`() throws {
    let clock = TestClock()
    try withListener(clock: clock) { listener in
      let silent = try RawClient(port: listener.port)
      let half = try RawClient(port: listener.port)
      try half.send([0x16, 0x03, 0x01, 0x02])
      let slow = try RawClient.tls(port: listener.port)
      try slow.send(get + "GET / HTTP/1.1\r\nHost:")
      #expect(try slow.receive().status == 200)
      clock.pass(.seconds(11), for: listener)
      for client in [silent, half] { #expect(try client.isClosedByServer()) }
      clock.pass(.seconds(80), for: listener)
      #expect(try slow.isClosedByServer())
      #expect(listener.counts.lateHeads + listener.counts.idle == 3)
    }
  }

  @Test func `a fault of a certificate is said at the start`() throws {
    let certificate = try TestCertificate.shared.get()
    let (good, chain) = (certificate.identity.privateKey, certificate.identity.certificates)
    for (identity, fault) in [
      (TLSIdentity(certificates: .file("/nonexistent/chain.pem"), privateKey: good), "/chain.pem: No such file"),
      (
        TLSIdentity(certificates: chain, privateKey: .file("/nonexistent/key.pem")),
        "the private key cannot be read from /nonexistent/key.pem: No such file"
      ),
      (TLSIdentity(certificates: .file("/"), privateKey: good), "Is a directory"),
      (
        TLSIdentity(certificates: .text("certificate"), privateKey: good),
        "the certificate (given as text) is not in PEM"
      ),
      (
        TLSIdentity(certificates: chain, privateKey: .text(certificate.otherKey)),
        "cannot be used together: The certificate and the given key do not match"
      ),
      (
        TLSIdentity(certificates: .text("-----BEGIN CERTIFICATE-----\nx\n"), privateKey: good),
        "cannot be used together"
      ),
    ] {
      let error = #expect(throws: HTTPListeningError.self) {
        try HTTPListeningTests.withListener(configure: { $0.tls = identity }) { _ in }
      }
      #expect(error.map { "\($0)" }?.contains(fault) == true, "\(fault)")
    }
  }
}
