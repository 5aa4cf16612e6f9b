// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// A supervised server that traps when it is told to, and the lines that its supervisor prints.
final class TrappingProgram {
  /// The supervisor's words for the log when a server ended.
  struct Death {
    let status: Int
    let process: Int32
    /// Milliseconds until it is started again; `nil` if it is not.
    let wait: Int?
    let report: String?
    let work: String?

    /// The text of its report.
    func text() throws -> String { try String(contentsOfFile: try #require(report), encoding: .utf8) }
  }

  let process = Process()
  private let root: String
  /// The directory of the reports.
  let reports: String
  private let output = Pipe()
  private let errors = Pipe()
  /// The first server; 0 if it was doomed.
  private(set) var server: Int32 = 0
  private(set) var port: UInt16 = 0

  /// - Parameters:
  ///   - wait: The milliseconds before the second restart in a row.
  ///   - drainTime: The seconds for which a server serves on after a signal.
  ///   - isStoring: Whether sessions are kept over the end of a server.
  ///   - backtracer: The text of a script that makes the backtraces; `nil` for the toolchain's program.
  ///   - longestBacktrace: The seconds after which a backtrace is given up; by default longer than a test may take.
  ///   - longestStop: The seconds after which a server that ends for its successor is killed; by default as long.
  ///   - mark: The file that dooms servers or makes them ask for users (TrappingServer).
  init(
    wait: Int = 1, drainTime: Int = 0, isStoring: Bool = false, backtracer: String? = nil,
    longestBacktrace: Int = 3_600, longestStop: Int = 3_600, mark: String? = nil
  ) throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("supervised-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    reports = root + "/to/be/made"
    if let mark { try self.mark(mark) }
    process.executableURL = try Self.built("TrappingServer")
    process.arguments = [reports, "\(wait)", "\(drainTime)", "\(longestBacktrace)", "\(longestStop)"]
    if isStoring { process.arguments?.append(root + "/sessions.db") }
    process.environment = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("EURIPUS_") && $0.key != "SWIFT_BACKTRACE"
    }
    if let backtracer {
      let path = root + "/backtracer"
      try Data(backtracer.utf8).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
      process.environment?["SWIFT_BACKTRACE"] = "swift-backtrace=\(path)"
    }
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    if mark == "doomed" { return }
    let first = line().split(separator: " ")
    server = try #require(first.first.flatMap { Int32($0) })
    port = try #require(first.last.flatMap { UInt16($0) })
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(atPath: root)
  }

  /// Makes a file beside the reports that tells the servers something (TrappingServer).
  func mark(_ name: String) throws {
    try FileManager.default.createDirectory(atPath: reports, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: "\(reports)/\(name)"))
  }

  /// The URL of a program beside the test's own.
  private static func built(_ name: String) throws -> URL {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name)
  }

  func line() -> String { Self.line(of: output) }

  /// Waits for a line on the standard error that contains this text.
  func errorLine(_ text: String) throws {
    while case let line = Self.line(of: errors), !line.contains(text) {
      try #require(!line.isEmpty, "no line has '\(text)'")
    }
  }

  private static func line(of pipe: Pipe) -> String {
    var bytes: [UInt8] = []
    while let byte = pipe.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Waits until the supervisor tells that a server has ended.
  func death() throws -> Death {
    let line = line()
    let words = line.split(separator: " ", maxSplits: 4).map(String.init)
    try #require(words.count == 5, "got '\(line)'")
    return Death(
      status: try #require(Int(words[0])), process: try #require(Int32(words[1])), wait: Int(words[2]),
      report: words[3] == "-" ? nil : words[3], work: words[4] == "-" ? nil : words[4])
  }

  /// The process that is to take the first server's place.
  func successor() throws -> Int32 { try child { $0 != server } }

  /// The server, where there is one.
  func present() throws -> Int32 { try child { _ in true } }

  /// The only process among the supervisor's that a condition holds for.
  private func child(where isWanted: (Int32) -> Bool) throws -> Int32 {
    let pid = process.processIdentifier
    let text = try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
    let found = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }.filter(isWanted)
    try #require(found.count == 1, "the children are '\(text)'")
    return found[0]
  }

  /// Sends an action that is at work from then on.
  func hold(_ client: TestClient, _ url: String) throws {
    try client.send("POST", "\(url)/actions/held", "true")
    #expect(line() == "held")
  }

  /// Waits until the supervisor has ended.
  func end() -> (status: Int32, errors: String) {
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  /// Tells the supervisor to end, which it does with status 0.
  func terminate() {
    process.terminate()
    #expect(end().status == 0)
  }

  /// A client with a connection of its own: a new one, or one that was there before.
  func client(as known: TestClient? = nil) throws -> TestClient {
    let client = try TestClient(port: port)
    client.cookie = known?.cookie
    return client
  }

  /// Sends a request that ends the server, and waits for its end.
  func die(
    _ client: TestClient, _ target: String, _ body: String? = nil, method: String = "POST",
    fields: [(String, String)] = []
  ) throws -> Death {
    try client.send(method, target, body, fields: fields)
    // A command may be answered before its step.
    if !target.hasSuffix("/step") { #expect(client.isClosedByServer()) }
    return try death()
  }

  /// Has a new client open a session, and an action there end the server.
  @discardableResult func die(of action: String, _ body: String? = nil) throws -> (url: String, death: Death) {
    let client = try client()
    let url = try client.open("trap")
    return (url, try die(client, "\(url)/actions/\(action)", body))
  }
}

extension TestClient.Response {
  /// Whether it refuses a work by which a server died.
  var isPoisoned: Bool { status == 500 && json?["type"] == "/problems/poisoned" }
}
