// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// A running or ended `euripus` or another program, which stands beside the test's own binary.
final class Program {
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
    // Never the recordings and other settings of the person who runs the tests.
    let outside = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("EURIPUS_") }
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

  /// The path of an executable that stands beside the test's own binary.
  static func built(_ name: String) throws -> String {
    let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// The only child of a process: a supervisor's server.
  static func child(of process: Int32) throws -> Int32 {
    let text = try String(contentsOfFile: "/proc/\(process)/task/\(process)/children", encoding: .utf8)
    return try #require(text.split(separator: " ").first.flatMap { Int32($0) }, "the children are '\(text)'")
  }

  deinit { if process.isRunning { process.interrupt() } }

  /// The next line of its output.
  func line() -> String { Self.line(of: output) }

  /// All the rest of its output.
  func rest() -> String { String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }

  /// The next line of its standard error; `nil` at its end.
  func errorLine() -> String? {
    let line = Self.line(of: errors)
    return line.isEmpty ? nil : line
  }

  func end() -> (status: Int32, errors: String) {
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  private static func line(of pipe: Pipe) -> String {
    var bytes: [UInt8] = []
    while let byte = pipe.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
      bytes.append(byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The port in the line that says where the server is.
  static func port(_ line: String) throws -> UInt16 {
    let match = line.wholeMatch(of: #/Euripus is serving \d+ view models? on http:\/\/127\.0\.0\.1:(\d+)\//#)
    return try #require(match.flatMap { UInt16($0.1) }, "got '\(line)'")
  }
}
