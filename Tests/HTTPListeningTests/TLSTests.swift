// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(5)))
struct TLSTests {
  private static let get = "GET / HTTP/1.1\r\nHost: h\r\n\r\n"
  private let certificate: TestCertificate

  init() throws { certificate = try TestCertificate.shared.get() }

  private func withListener<Result>(
    configure: (inout HTTPListenerConfiguration) -> Void = { _ in },
    handler: @escaping @Sendable (HTTPRequest) -> HTTPAnswer, _ body: (HTTPListener) throws -> Result
  ) throws -> Result {
    try HTTPListeningTests.withListener(
      configure: {
        configure(&$0)
        $0.tls = certificate.identity
      }, handler: handler, body)
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `requests are served, and are known to be secure`(version: String) throws {
    try withListener(handler: { .now(HTTPResponse("\($0.isSecure) \($0.body.count) \($0.peerAddress)")) }) { listener in
      let client = try RawClient.tls(port: listener.port, options: [version])
      for length in [0, 1, 40_000, 3] {
        try client.send(
          "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n" + String(repeating: "x", count: length))
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
  func `a client that can do what is quick and safe is served`(options: [String]) throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient.tls(port: listener.port, options: options)
      try client.send(Self.get)
      #expect(try client.receive().status == 200)
    }
  }

  /// Making a key of ffdhe8192 costs 424 ms of a core.
  @Test(arguments: [["-tls1_3", "-groups", "ffdhe8192"], ["-tls1_3", "-groups", "ffdhe2048"], ["-groups", "P-521"]])
  func `a client that can only agree on a key in a slow way is refused`(options: [String]) throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient.tls(port: listener.port, options: options)
      #expect(try client.isClosedByServer())
    }
  }

  @Test func `TLS 1·1 is refused`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient.tls(port: listener.port, options: ["-tls1_1", "-cipher", "ALL:@SECLEVEL=0"])
      #expect(try client.isClosedByServer())
    }
  }

  @Test func `without TLS a request is known not to be secure`() throws {
    try HTTPListeningTests.withListener(handler: { .now(HTTPResponse("\($0.isSecure)")) }) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(Self.get)
      #expect(try client.receive().text == "false")
    }
  }

  @Test func `a plain request gets no answer`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient(port: listener.port)
      try client.send(Self.get)
      #expect(try client.isClosedInTheEnd())
    }
  }

  @Test func `pipelined requests are answered in their order`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient.tls(port: listener.port)
      try client.send((0..<50).map { "GET /\($0) HTTP/1.1\r\nHost: h\r\n\r\n" }.joined())
      for number in 0..<50 { #expect(try client.receive().text == "GET /\(number) h ") }
    }
  }

  @Test func `a refused client gets its answer, though it still sends`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient.tls(port: listener.port)
      try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 900000\r\n\r\n")
      try client.send([UInt8](repeating: 0x78, count: 100_000))
      #expect(try client.receive().status == 413)
      #expect(try client.isClosedByServer())
    }
  }

  @Test func `a client that asks first is told to go on`() throws {
    try withListener(handler: echo) { listener in
      let client = try RawClient.tls(port: listener.port)
      try client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n")
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
        try client.send(Self.get)
        try replies.take().answer(HTTPResponse("answered"))
        #expect(try client.receive().text == "answered")
        try client.send("GET /short HTTP/1.1\r\nHost: h\r\n\r\n")
        _ = try replies.take()
        #expect(try client.receive().text == "timed out")
        _ = try endings.take()
        try client.send(Self.get)
        _ = try replies.take()
        client.close()
        guard case .clientLeft = try endings.take() else {
          Issue.record("the wait did not end with its client")
          return
        }
      })
  }

  @Test func `a handshake that stalls and a head that never ends are cut off`() throws {
    let clock = TestClock()
    try withListener(
      configure: {
        $0.loops = 1
        $0.clock = clock.clock
      }, handler: echo,
      { listener in
        let silent = try RawClient(port: listener.port)
        let half = try RawClient(port: listener.port)
        try half.send([0x16, 0x03, 0x01, 0x02])
        let slow = try RawClient.tls(port: listener.port)
        try slow.send(Self.get + "GET / HTTP/1.1\r\nHost:")
        #expect(try slow.receive().status == 200)
        clock.pass(.seconds(11), for: listener)
        for client in [silent, half] { #expect(try client.isClosedByServer()) }
        clock.pass(.seconds(80), for: listener)
        #expect(try slow.isClosedByServer())
        #expect(listener.counts.lateHeads + listener.counts.idle == 3)
      })
  }

  @Test func `what is wrong with a certificate is said at the start`() throws {
    func error(_ identity: TLSIdentity) -> String {
      var configuration = HTTPListenerConfiguration(host: "127.0.0.1", port: 0)
      configuration.tls = identity
      let listener = HTTPListener(configuration: configuration, onRefusal: refusalResponse, handler: echo)
      do {
        try listener.start()
        listener.stop()
        return "started"
      } catch { return "\(error)" }
    }
    let good = certificate.identity
    let missing = TLSIdentity(certificates: .file("/nonexistent/chain.pem"), privateKey: good.privateKey)
    #expect(error(missing).contains("/nonexistent/chain.pem: No such file"))
    let noKey = TLSIdentity(certificates: good.certificates, privateKey: .file("/nonexistent/key.pem"))
    #expect(error(noKey).contains("the private key cannot be read from /nonexistent/key.pem: No such file"))
    let directory = TLSIdentity(certificates: .file("/"), privateKey: good.privateKey)
    #expect(error(directory).contains("Is a directory"))
    let noPEM = TLSIdentity(certificates: .text("certificate"), privateKey: good.privateKey)
    #expect(error(noPEM).contains("the certificate (given as text) is not in PEM"))
    let other = TLSIdentity(certificates: good.certificates, privateKey: .text(certificate.otherKey))
    #expect(error(other).contains("cannot be used together: The certificate and the given key do not match"))
    let broken = TLSIdentity(certificates: .text("-----BEGIN CERTIFICATE-----\nx\n"), privateKey: good.privateKey)
    #expect(error(broken).contains("cannot be used together"))
    #expect(error(good) == "started")
  }

  @Test func `a client that takes nothing of a stream is cut off and counted`() throws {
    let asked = Mailbox<HTTPStream>()
    let endings = Mailbox<HTTPStream.Ending>()
    try withListener(
      configure: { $0.streamStallTimeout = .milliseconds(300) },
      handler: { _ in
        .stream(
          HTTPResponse(""),
          HTTPStream(filler: nil, life: nil) {
            asked.put($0)
          } ended: {
            endings.put($1)
          })
      },
      { listener in
        let client = try RawClient.tls(port: listener.port)
        try client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n")
        try asked.take().send([UInt8](repeating: UInt8(ascii: "x"), count: 40_000_000))
        #expect(try endings.take() == .clientLeft)
        #expect(listener.counts.stalledStreams == 1)
        withExtendedLifetime(client) {}
      })
  }
}
