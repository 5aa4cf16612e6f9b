// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A certificate that is replaced while its server runs, and SIGHUP.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `SIGHUP with TLS` {
  private let folder: Folder

  init() throws {
    folder = try Folder()
    for place in ["old", "new", "served"] { try folder.write(Data(), to: place + "/certificate.pem") }
    for place in ["old", "new"] { try TLSClient.makeCertificate(in: folder[place]) }
    for name in Self.files { try put(name, of: "old") }
  }

  private static let files = ["certificate.pem", "key.pem"]

  /// Has the server serve a file of the old or the new certificate.
  private func put(_ name: String, of place: String) throws {
    try folder.write(folder.bytes("\(place)/\(name)"), to: "served/\(name)")
  }

  private func serve(_ options: [String]) throws -> (Program, port: UInt16) {
    let files = Self.files.map { folder["served/\($0)"] }
    let program = try Program.serve(["--tls-cert", files[0], "--tls-key", files[1], "--log-format", "json"] + options)
    return (program, try program.port())
  }

  private var supervised: [String] { ["--supervise", "--crash-reports", folder.path] }

  /// Whether the server serves a client that trusts the certificate of this directory alone.
  private func isServed(_ port: UInt16, with place: String) throws -> Bool {
    let file = folder["\(place)/certificate.pem"]
    return try isHealthy(TLSClient(port: port, options: ["-CAfile", file, "-verify_return_error"]))
  }

  private func isHealthy(_ client: TLSClient) throws -> Bool {
    try? client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return try client.line() == "HTTP/1.1 200 OK"
  }

  @Test(arguments: [false, true])
  func `gives new clients the new certificate, and clients that were there go on`(isSupervised: Bool) throws {
    let (program, port) = try serve(isSupervised ? supervised : [])
    let client = try TLSClient(port: port)
    #expect(try isHealthy(client))
    #expect(try isServed(port, with: "old"))

    try put("certificate.pem", of: "new")
    kill(program.pid, SIGHUP)
    let bad = try #require(program.errorLine())
    #expect(bad.contains(#""level":"error","message":"the certificate was not replaced"#), "\(bad)")
    #expect(bad.contains("cannot be used together"), "\(bad)")
    #expect(try isServed(port, with: "old"))

    try put("key.pem", of: "new")
    kill(program.pid, SIGHUP)
    let good = try #require(program.errorLine())
    #expect(good.contains(#""level":"notice","message":"the certificate was read again""#), "\(good)")
    #expect(try isServed(port, with: "new"))
    #expect(try !isServed(port, with: "old"))
    #expect(try client.line(after: "ok") != nil)
    #expect(try isHealthy(client))
    program.stop()
  }

  @Test func `does not end a server that drains`() throws {
    let (program, _) = try serve(["--drain-time", "600"])
    program.process.terminate()
    let draining = try #require(program.errorLine())
    #expect(draining.contains("draining"), "\(draining)")
    kill(program.pid, SIGHUP)
    program.process.terminate()
    #expect(program.end().status == 128 + SIGTERM)
  }

  @Test func `is passed on by a supervisor when its server can take it, and not before`() throws {
    let (program, port) = try serve(supervised)
    for name in Self.files { try put(name, of: "new") }
    kill(try program.server(), SIGKILL)
    let died = try #require(program.errorLine())
    #expect(died.contains("the server died and is started again"), "\(died)")
    // The new server is not ready, and the signal would end it now.
    kill(program.pid, SIGHUP)
    let reloaded = try #require(program.errorLine())
    #expect(reloaded.contains("was read again"), "\(reloaded)")
    #expect(try isServed(port, with: "new"))
    program.stop()
  }
}
