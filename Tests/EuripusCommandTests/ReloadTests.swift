// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A certificate that is replaced while its server runs, and SIGHUP.
@Suite(.serialized, .timeLimit(.minutes(5))) struct `SIGHUP with TLS` {
  private let directory: URL
  /// The directories of the certificates, each with its key.
  private let (old, new): (URL, URL)
  /// The directory with the files that the server serves.
  private let served: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appendingPathComponent("reload-\(UUID().uuidString)")
    (old, new) = (directory.appendingPathComponent("old"), directory.appendingPathComponent("new"))
    served = directory.appendingPathComponent("served")
    for place in [old, new, served] {
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    }
    for place in [old, new] { try TLSClient.makeCertificate(in: place) }
    for name in ["certificate.pem", "key.pem"] { try put(name, of: old) }
  }

  private func put(_ name: String, of place: URL) throws {
    try Data(contentsOf: place.appendingPathComponent(name)).write(to: served.appendingPathComponent(name))
  }

  private func program(_ options: String...) throws -> (Program, port: UInt16) {
    let files = ["certificate.pem", "key.pem"].map { served.appendingPathComponent($0).path }
    let program = try Program(
      ["serve", "--port", "0", "--tls-cert", files[0], "--tls-key", files[1], "--log-format", "json"] + options)
    let announced = program.line()
    let match = announced.firstMatch(of: #/https:\/\/127\.0\.0\.1:(\d+)\//#)
    return (program, try #require(match.flatMap { UInt16($0.1) }, "got '\(announced)'"))
  }

  /// Whether the server serves a client that trusts the certificate of this directory alone.
  private func isServed(_ port: UInt16, with place: URL) throws -> Bool {
    let file = place.appendingPathComponent("certificate.pem").path
    let client = try TLSClient(port: port, options: ["-CAfile", file, "-verify_return_error"])
    try? client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    return try client.line() == "HTTP/1.1 200 OK"
  }

  private func end(_ program: Program) {
    program.process.terminate()
    #expect(program.end().status == 0)
  }

  @Test(arguments: [[], ["--supervise"]])
  func `has the new certificate given to who connects, and who was there goes on`(options: [String]) throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let (program, port) =
      options.isEmpty ? try program() : try program("--supervise", "--crash-reports", directory.path)
    let client = try TLSClient(port: port)
    try client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try client.line() == "HTTP/1.1 200 OK")
    #expect(try isServed(port, with: old))

    try put("certificate.pem", of: new)
    kill(program.process.processIdentifier, SIGHUP)
    let bad = try #require(program.errorLine())
    #expect(bad.contains(#""level":"error","message":"the certificate was not replaced"#), "\(bad)")
    #expect(bad.contains("cannot be used together"), "\(bad)")
    #expect(try isServed(port, with: old))

    try put("key.pem", of: new)
    kill(program.process.processIdentifier, SIGHUP)
    let good = try #require(program.errorLine())
    #expect(good.contains(#""level":"notice","message":"the certificate was read again""#), "\(good)")
    #expect(try isServed(port, with: new))
    #expect(try !isServed(port, with: old))
    #expect(try client.line(after: "ok") != nil)
    try client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    #expect(try client.line() == "HTTP/1.1 200 OK")
    end(program)
  }

  @Test func `does not end a server that drains`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let (program, _) = try program("--drain-time", "1")
    program.process.terminate()
    let draining = try #require(program.errorLine())
    #expect(draining.contains("draining"), "\(draining)")
    kill(program.process.processIdentifier, SIGHUP)
    #expect(program.end().status == 0)
  }

  @Test func `is passed on by a supervisor when its server can take it, and not before`() throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    let (program, port) = try program("--supervise", "--crash-reports", directory.path)
    let children = "/proc/\(program.process.processIdentifier)/task/\(program.process.processIdentifier)/children"
    let server = try #require(Int32(try String(contentsOfFile: children, encoding: .utf8).prefix { $0 != " " }))
    for name in ["certificate.pem", "key.pem"] { try put(name, of: new) }
    kill(server, SIGKILL)
    let died = try #require(program.errorLine())
    #expect(died.contains("the server died and is started again"), "\(died)")
    // The new server is not ready, and the signal would end it now.
    kill(program.process.processIdentifier, SIGHUP)
    let reloaded = try #require(program.errorLine())
    #expect(reloaded.contains("was read again"), "\(reloaded)")
    #expect(try isServed(port, with: new))
    end(program)
  }
}
