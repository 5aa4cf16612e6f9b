// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// Files as a process sends them, with its use of the system's memory and descriptors.
@Suite(.timeLimit(.minutes(30))) struct `files of euripus serve` {
  /// The memory of a process that is its own and no file's, in kilobytes.
  private static func ownMemory(of process: Int32) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let match = try #require(status.firstMatch(of: #/RssAnon:\s+(\d+) kB/#))
    return try #require(Int(match.1))
  }

  /// - Parameter descriptors: the number of descriptors that the process may open.
  private static func setSoftLimit(_ descriptors: String, of process: Int32) throws {
    let command = Process()
    command.executableURL = URL(fileURLWithPath: "/usr/bin/prlimit")
    command.arguments = ["--pid", "\(process)", "--nofile=\(descriptors):"]
    try command.run()
    command.waitUntilExit()
    #expect(command.terminationStatus == 0)
  }

  @Test func `sixty slow readers of 16 MiB cost no memory of the server's`() throws {
    let folder = try Folder()
    try folder.write(Data(repeating: 7, count: 16 << 20), to: "big.bin")
    let program = try Program.serve(["--public", folder.path])
    let port = try program.port()
    #expect(try TestClient(port: port).request("GET", "/big.bin").body.count == 16 << 20)
    let before = try Self.ownMemory(of: program.pid)
    let readers = try (0..<60).map { _ in try TestClient(port: port) }
    for reader in readers { try reader.send("GET", "/big.bin") }
    // Once each reader has the response's head, the server is sending each of them the file.
    for reader in readers { #expect(try reader.receive(hasBody: false)["Content-Length"] == "\(16 << 20)") }
    let grown = try Self.ownMemory(of: program.pid) - before
    #expect(grown < 4_096, "\(grown) KiB for 60 readers")
  }

  @Test func `fewer connections than are set, for want of descriptors, are said in the log`() throws {
    let limited = ["--nofile=300:300", try Program.built("euripus"), "serve", "--port", "0"]
    let program = try Program(limited, at: "/usr/bin/prlimit")
    #expect(try program.port() != 0)
    let line = try #require(program.errorLine())
    #expect(line.contains("fewer connections than are set") && line.contains("descriptors=300"), "\(line)")
    program.stop()
  }

  @Test func `without free descriptors a file answers 503, and is there again after`() throws {
    let folder = try Folder(["page.html": "page"])
    let program = try Program.serve(["--public", folder.path])
    let client = try program.client()
    #expect(try client.request("GET", "/page.html").status == 200)
    // The limit is below the number of open descriptors, so that none is free.
    try Self.setSoftLimit("0", of: program.pid)
    let refused = try client.request("GET", "/page.html")
    #expect(refused.status == 503 && refused["Retry-After"] == "2")
    #expect(refused.json?["type"] == "/problems/overloaded")
    #expect(try client.request("GET", "/other.html").status == 404)
    try Self.setSoftLimit("1000", of: program.pid)
    #expect(try client.request("GET", "/page.html").text == "page")
  }
}
