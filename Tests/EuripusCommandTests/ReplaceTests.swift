// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// Another version of the program at its path, and SIGHUP.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `SIGHUP with a supervisor and a store` {
  private let folder: Folder
  /// The path of the program.
  private let path: String
  private let program: Program
  private let port: UInt16

  init() throws {
    folder = try Folder()
    path = folder["program"]
    try FileManager.default.copyItem(atPath: Program.built("euripus"), toPath: path)
    program = try Program(
      [
        "serve", "--supervise", "--port", "0", "--store", folder["sessions.db"], "--crash-reports", folder.path,
        "--drain-time", "1",
      ],
      environment: ["EURIPUS_RECORDINGS": folder.path, "EURIPUS_USERS": ""], at: path)
    port = try program.port()
  }

  /// The inode of the file that a process runs.
  private static func file(of process: Int32) -> UInt64 { file(at: "/proc/\(process)/exe") }

  private static func file(at path: String) -> UInt64 {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_ino) : 0
  }

  /// Puts a copy of another file in the program's place, as an installation does.
  private func replace(by other: String) throws {
    try FileManager.default.copyItem(atPath: other, toPath: path + ".new")
    try #require(rename(path + ".new", path) == 0)
  }

  /// The first line of the log that has this text.
  private func logged(_ text: String) throws -> String {
    while let line = program.errorLine() { if line.contains(text) { return line } }
    throw CancellationError()
  }

  @Test func `another version takes the server's place at the same port, and each session goes on`() throws {
    let client = try TestClient(port: port)
    let url = try client.open("login")
    #expect(try client.request("PUT", "\(url)/state/username", #""maruko""#).status == 200)
    let old = try program.server()
    try replace(by: Program.built("euripus"))
    #expect(Self.file(of: old) != Self.file(at: path))
    kill(program.pid, SIGHUP)
    // The socket is the supervisor's, and takes connections all the while.
    for _ in 0..<50 { _ = try TestClient(port: port) }
    _ = try logged("has taken the server's place")
    let new = try program.server()
    #expect(new != old)
    #expect(Self.file(of: new) == Self.file(at: path))
    let again = try TestClient(port: port)
    again.cookie = client.cookie
    #expect(try again.request("GET", url).json?["state"]?["username"] == "maruko")
    // A server that dies is started again as the version that served.
    try replace(by: "/bin/false")
    kill(new, SIGKILL)
    #expect(again.isClosedByServer())
    let last = try TestClient(port: port)
    last.cookie = client.cookie
    #expect(try last.request("GET", url).json?["state"]?["username"] == "maruko")
    program.stop()
  }

  @Test func `each server is called as the program is, in lists of processes`() throws {
    func name() throws -> String { try String(contentsOfFile: "/proc/\(program.server())/comm", encoding: .utf8) }
    #expect(try name() == "program\n")
    kill(program.pid, SIGHUP)
    _ = try logged("has taken the server's place")
    #expect(try name() == "program\n")
    program.stop()
  }

  @Test func `a signal to end, while the server ends for its successor, ends both as it would one`() throws {
    kill(program.pid, SIGHUP)
    _ = try logged("draining")
    let errors = program.stop()
    #expect(errors.contains("stopped") && !errors.contains("second signal"), "\(errors)")
  }

  @Test(arguments: [("/bin/false", "status=1"), ("/etc/hostname", "Exec format error"), (nil, "No such file")])
  func `a program that cannot take its place leaves the server as it is, and the log says why`(
    other: String?, reason: String
  ) throws {
    let client = try TestClient(port: port)
    let url = try client.open("login")
    let old = try program.server()
    if let other { try replace(by: other) } else { try FileManager.default.removeItem(atPath: path) }
    chmod(path, 0o755)
    kill(program.pid, SIGHUP)
    _ = try logged(reason)
    #expect(try program.server() == old)
    #expect(try client.request("GET", url).status == 200)
    program.stop()
  }
}
