// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import Testing

/// A running or ended `euripus` or another program, which stands beside the test's own binary.
final class Program {
  /// A program that has ended, with the texts of its streams.
  struct Ended: Equatable {
    let status: Int32
    var output = ""
    let errors: String

    /// Whether its standard error is one line.
    var isOneLine: Bool { errors.filter { $0 == "\n" }.count == 1 }
    /// Its output with single spaces.
    var words: String { output.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    /// The words of each line of its output.
    var rows: [[String]] { output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) } }
  }

  let process = Process()
  private let output = Pipe()
  private let errors = Pipe()

  /// The directory of the state of programs that are given none.
  private static let state = FileManager.default.temporaryDirectory
    .appendingPathComponent("euripus-tests-\(ProcessInfo.processInfo.processIdentifier)").path

  /// - Parameters:
  ///   - environment: variables beside those of the tests, of which the settings are left out.
  ///   - name: the name of the executable.
  convenience init(_ arguments: [String], environment: [String: String] = [:], of name: String = "euripus") throws {
    try self.init(arguments, environment: environment, at: Self.built(name))
  }

  /// - Parameter executable: the path of the executable.
  init(_ arguments: [String], environment: [String: String] = [:], at executable: String) throws {
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = URL(
      fileURLWithPath: #filePath.replacing("Tests/EuripusCommandTests/Program.swift", with: ""))
    // Never the recordings and other settings of the person who runs the tests, nor a database of theirs.
    let outside = ProcessInfo.processInfo.environment.filter {
      !$0.key.hasPrefix("EURIPUS_") && !["PORT", "DATABASE_URL"].contains($0.key)
    }
    process.environment = outside.merging(["XDG_STATE_HOME": Self.state]) { $1 }.merging(environment) { $1 }
    // Never the terminal of the person who runs the tests.
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
  }

  convenience init(_ arguments: String..., environment: [String: String] = [:]) throws {
    try self.init(arguments, environment: environment)
  }

  /// Starts `serve` on a free port.
  static func serve(
    _ options: [String] = [], environment: [String: String] = [:], of name: String = "euripus"
  ) throws -> Program {
    try Program(["serve", "--port", "0"] + options, environment: environment, of: name)
  }

  /// Runs a program to its end.
  static func run(
    _ arguments: [String], environment: [String: String] = [:], of name: String = "euripus"
  ) throws -> Ended {
    let program = try Program(arguments, environment: environment, of: name)
    let output = program.rest()
    let ended = program.end()
    return Ended(status: ended.status, output: output, errors: ended.errors)
  }

  static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Ended {
    try run(arguments, environment: environment)
  }

  /// The path of an executable that stands beside the test's own binary.
  static func built(_ name: String) throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name).path
  }

  deinit { if process.isRunning { process.interrupt() } }

  var pid: Int32 { process.processIdentifier }

  /// The server of a supervisor: its only child.
  func server() throws -> Int32 {
    let text = try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/children", encoding: .utf8)
    return try #require(text.split(separator: " ").first.flatMap { Int32($0) }, "the children are '\(text)'")
  }

  /// The next line of its output.
  func line() -> String { Self.line(of: output) }

  /// All the rest of its output.
  func rest() -> String { String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }

  /// The next line of its standard error; `nil` at its end.
  func errorLine() -> String? {
    let line = Self.line(of: errors)
    return line.isEmpty ? nil : line
  }

  /// Waits for its end. The output is not read.
  func end() -> Ended {
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Ended(status: process.terminationStatus, errors: text)
  }

  /// Tells it to end, and expects that it does so with status 0. Gives the rest of its standard error.
  @discardableResult func stop() -> String {
    process.terminate()
    let ended = end()
    #expect(ended.status == 0, "\(ended.errors)")
    return ended.errors
  }

  /// Kills it, and waits for its end.
  func kill() {
    Glibc.kill(pid, SIGKILL)
    _ = end()
  }

  private static func line(of pipe: Pipe) -> String {
    var bytes: [UInt8] = []
    while let byte = pipe.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The port in the next line, which says where the server is.
  func port() throws -> UInt16 { try Self.port(line()) }

  static func port(_ line: String) throws -> UInt16 {
    let match = line.wholeMatch(
      of: #/Euripus is serving \d+ view models? on https?:\/\/\S+:(\d+)\/( \(PORT is set.*\))?/#)
    return try #require(match.flatMap { UInt16($0.1) }, "got '\(line)'")
  }

  /// A client of the server that has not said yet where it is.
  ///
  /// - Parameter other: a client of another server, whose sessions this one goes on with.
  func client(as other: TestClient? = nil) throws -> TestClient {
    let client = try TestClient(port: port())
    if let other { client.goOn(with: other.cookie) }
    return client
  }
}

/// A directory of a test's own, which is removed with its object. Its path is short enough for that of a socket.
final class Folder {
  let path = "/tmp/euripus-\(UUID().uuidString.prefix(13))"

  init(_ files: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for (name, text) in files { try write(Data(text.utf8), to: name) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  subscript(name: String) -> String { "\(path)/\(name)" }

  func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: self[name])) }

  /// Writes a file, and makes the directories to it.
  func write(_ data: Data, to name: String) throws {
    let file = URL(fileURLWithPath: self[name])
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try data.write(to: file)
  }
}
