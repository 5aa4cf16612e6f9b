// SPDX-License-Identifier: MIT
import HTTPListening
import Testing

@Suite(.timeLimit(.minutes(30))) struct ReloadingTests {
  private let certificate: TestCertificate
  private let next: TestCertificate
  private let files: CertificateFiles
  /// The options of clients that trust the old or the new certificate alone.
  private let (old, new): ([String], [String])

  init() throws {
    certificate = try TestCertificate.shared.get()
    next = try TestCertificate.next.get()
    files = try CertificateFiles(certificate)
    old = try files.trusting(certificate, as: "old")
    new = try files.trusting(next, as: "new")
  }

  private func withListener(loops: Int = 2, _ body: (HTTPListener) throws -> Void) throws {
    try HTTPListeningTests.withListener(
      configure: {
        $0.loops = loops
        $0.tls = files.identity
      }, body)
  }

  private func isServed(_ listener: HTTPListener, _ options: [String]) throws -> Bool {
    let client = try RawClient.tls(port: listener.port, options: options)
    // The connection may have ended already.
    try? client.send(get)
    return try !client.isClosedByServer()
  }

  @Test(arguments: ["-tls1_2", "-tls1_3"])
  func `a reload gives new clients the new certificate, on each loop, and clients that are there go on`(
    version: String
  ) throws {
    try withListener { listener in
      let before = try RawClient.tls(port: listener.port, options: old + [version])
      try before.send(get)
      #expect(try before.receive().status == 200)
      try files.write(next.certificate, next.privateKey)
      #expect(try isServed(listener, old + [version]))
      try listener.reloadIdentity()
      for _ in 0..<4 {
        #expect(try isServed(listener, new + [version]))
        #expect(try !isServed(listener, old + [version]))
      }
      try before.send(get)
      #expect(try before.receive().status == 200)
    }
  }

  @Test func `a bad certificate is refused, with the reason, and the old one is given on`() throws {
    try withListener { listener in
      for (chain, key, reason) in [
        (next.certificate, certificate.privateKey, "cannot be used together"),
        ("", next.privateKey, "is not in PEM"), (next.certificate, "-----BEGIN nothing", "cannot be used together"),
      ] {
        try files.write(chain, key)
        let error = #expect(throws: HTTPListeningError.self) { try listener.reloadIdentity() }
        #expect(error.map { "\($0)".contains(reason) } == true, "\(String(describing: error))")
        #expect(try isServed(listener, old))
      }
      try files.write(next.certificate, next.privateKey)
      try listener.reloadIdentity()
      #expect(try isServed(listener, new))
    }
  }

  @Test func `a reload is without effect where there is no TLS, or no listener that runs`() throws {
    try HTTPListeningTests.withListener { try $0.reloadIdentity() }
    try withListener { listener in
      listener.stop(within: .zero)
      try listener.reloadIdentity()
    }
  }
}
