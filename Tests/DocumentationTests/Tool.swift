// SPDX-License-Identifier: MIT
import Foundation

/// A program that a test runs, of the toolchain or of its own making.
enum Tool {
  /// Runs a program to its end, and gives the text that it printed.
  ///
  /// - Throws: ``ToolFailure``, if it failed.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // The errors are read first. No program here prints more than a pipe holds before its errors end.
    let complaints = errors.fileHandleForReading.readDataToEndOfFile()
    let text = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0, process.terminationReason == .exit else {
      throw ToolFailure(program: arguments.first ?? program, complaints: String(decoding: complaints, as: UTF8.self))
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// The failure of a program.
struct ToolFailure: Error, CustomStringConvertible {
  let program: String
  /// The text that it wrote to its standard error.
  let complaints: String

  var description: String { "expected \(program) to succeed, got: \(complaints)" }
}

/// The products that the package's build has left beside the test binary.
struct Built {
  let modules: String
  let objects: [String]
  /// The header of C that the core imports, with its map.
  let header = Repository.root + "Sources/CRuntime/include"

  init() throws {
    let binary = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") as NSString
    let products = binary.deletingLastPathComponent
    modules = products + "/Modules"
    objects = try ["CRuntime", "ObservableCore", "EventSequences"].flatMap { target in
      // The object of a file that is gone by now still lies there.
      let sources = try FileManager.default.subpathsOfDirectory(
        atPath: Repository.root + Repository.sources(of: target))
      let names = Set(sources.map { ($0 as NSString).lastPathComponent + ".o" })
      let folder = "\(products)/\(target).build/"
      return try FileManager.default.contentsOfDirectory(atPath: folder).filter(names.contains).sorted().map {
        folder + $0
      }
    }
  }
}
