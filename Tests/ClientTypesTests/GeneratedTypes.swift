// SPDX-License-Identifier: MIT
import Demos
import EuripusOpenAPI
import EuripusTesting
import Foundation
import ViewModels

@testable import Todo

/// The types of view models, as the command `types` prints them.
enum GeneratedTypes {
  static let root = #filePath.replacing("Tests/ClientTypesTests/GeneratedTypes.swift", with: "")
  static let folder = root + "Tests/ClientTypesTests/"
  static let todo = HostedModelType.hosting { TodoViewModel() }
  static let album = HostedModelType.hosting { AlbumViewModel($0) }
  static let everything = HostedModelType.hosting { EverythingViewModel($0) }

  /// The types of the demos, of the to-do list, of all kinds of entries, and of names that collide.
  static var all: [HostedModelType] {
    let place = FileManager.default.temporaryDirectory.appendingPathComponent("types-\(UUID().uuidString)").path
    let demos = Demos.all(
      recordings: RecordingStore(directory: place + "/recordings") { _ in },
      users: UserStore(directory: place + "/users") { _ in })
    return demos + [todo, everything, .hosting { CollidingViewModel() }, .hosting { FactorViewModel() }]
  }

  static func swift(_ model: HostedModelType) -> String {
    ModelTypes(model.description).swift(command: "app types \(model.name) --swift")
  }

  static func typeScript(_ model: HostedModelType) -> String {
    ModelTypes(model.description).typeScript(command: "app types \(model.name) --typescript")
  }
}

/// A program of the system that a test runs.
enum Tool {
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// Runs a program to its end.
  ///
  /// - Returns: its output, with the errors behind it.
  @discardableResult
  static func run(_ arguments: [String], in folder: URL) throws -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.currentDirectoryURL = folder
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Failure(description: "\(arguments[0]): \(text)") }
    return text
  }

  /// Gives a directory to a body, and removes it afterwards.
  static func inFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("types-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}
