// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
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
  }

  let process = Process()
  private let root: String
  /// The directory of the reports.
  let reports: String
  private let output = Pipe()
  private let errors = Pipe()
  /// The first server.
  private(set) var server: Int32 = 0
  private(set) var port: UInt16 = 0

  /// - Parameters:
  ///   - wait: The milliseconds before the second restart in a row.
  ///   - drainTime: The seconds for which a server serves on after a signal.
  ///   - isStoring: Whether sessions are kept over the end of a server.
  ///   - backtracer: The text of a script that makes the backtraces; `nil` for the toolchain's program.
  ///   - longestBacktrace: The seconds after which a backtrace is given up; by default longer than a test may take.
  ///   - longestStop: The seconds after which a server that ends for its successor is killed; by default as long.
  ///   - authenticates: Whether the servers ask for the users of requests.
  init(
    wait: Int = 1, drainTime: Int = 0, isStoring: Bool = false, backtracer: String? = nil, longestBacktrace: Int = 600,
    longestStop: Int = 600, authenticates: Bool = false
  ) throws {
    root = FileManager.default.temporaryDirectory.appendingPathComponent("supervised-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    reports = root + "/to/be/made"
    if authenticates {
      try FileManager.default.createDirectory(atPath: reports + "/authenticates", withIntermediateDirectories: true)
    }
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
    let first = line().split(separator: " ")
    server = try #require(first.first.flatMap { Int32($0) })
    port = try #require(first.last.flatMap { UInt16($0) })
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    try? FileManager.default.removeItem(atPath: root)
  }

  /// The URL of a program beside the test's own.
  static func built(_ name: String) throws -> URL {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name)
  }

  func line() -> String { Self.line(of: output) }

  /// Waits for a line on the standard error that contains this text.
  func errorLine(_ text: String) throws -> String {
    while true {
      let line = Self.line(of: errors)
      if line.contains(text) { return line }
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
  func successor() throws -> Int32 {
    let pid = process.processIdentifier
    let text = try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
    let others = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }.filter { $0 != server }
    try #require(others.count == 1, "the children are '\(text)'")
    return others[0]
  }

  /// Waits until the supervisor has ended.
  func end() -> (status: Int32, errors: String) {
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  /// A new client with a connection of its own.
  func client() throws -> TestClient { try TestClient(port: port) }

  /// Opens a session, has it do an action that ends its server, and waits for the server's end.
  @discardableResult func die(of action: String, _ body: String? = nil) throws -> (url: String, death: Death) {
    let client = try client()
    let url = try client.open("trap")
    try client.send("POST", "\(url)/actions/\(action)", body)
    #expect(client.isClosedByServer())
    return (url, try death())
  }
}
