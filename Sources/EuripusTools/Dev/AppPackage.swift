// SPDX-License-Identifier: MIT
import Foundation

/// The package in the current directory, and the program in it that is developed.
struct AppPackage {
  /// The name of the executable product.
  let product: String
  /// The directories of the sources that the program is made of, relative to the package's.
  let sources: [String]

  /// - Parameter product: the name of the program; `nil` if the package has one alone.
  /// - Throws: ``DevelopmentError``.
  init(product wanted: String?) throws {
    let description = try Description.current()
    let executables = description.products.filter { $0.type["executable"] != nil }.map(\.name)
    let names = executables.sorted().joined(separator: ", ")
    guard !executables.isEmpty else {
      throw DevelopmentError(
        "the package '\(description.name)' has no program; expected an executable target with an app")
    }
    if let wanted {
      guard executables.contains(wanted) else {
        throw DevelopmentError("the package has no program '\(wanted)'; expected one of: \(names)")
      }
      product = wanted
    } else if executables.count == 1 {
      product = executables[0]
    } else {
      throw DevelopmentError(
        "the package has several programs; expected one of them: --product \(executables[0]). They are: \(names)")
    }
    sources = description.targets.filter { $0.type != "test" }.map(\.path)
  }

  /// The path of the program.
  func program() throws -> String {
    let folder = try Self.answer(["build", "--show-bin-path"]).trimmingCharacters(in: .whitespacesAndNewlines)
    return "\(folder)/\(product)"
  }

  /// The words of `swift package describe`.
  private struct Description: Decodable {
    struct Target: Decodable {
      let path: String
      let type: String
    }
    struct Product: Decodable {
      let name: String
      let type: [String: [String]?]
    }
    let name: String
    let products: [Product]
    let targets: [Target]

    static func current() throws -> Description {
      let text = try AppPackage.answer(["package", "describe", "--type", "json"])
      do { return try JSONDecoder().decode(Description.self, from: Data(text.utf8)) } catch {
        throw DevelopmentError("'swift package describe' says nothing that can be read: \(error)")
      }
    }
  }

  /// The output of a command of `swift`.
  private static func answer(_ arguments: [String]) throws -> String {
    let (process, output, errors) = (Process(), Pipe(), Pipe())
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["swift"] + arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let complaint = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw DevelopmentError(complaint.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    return text
  }
}

/// A reason for which the development cannot begin, in words for the author.
struct DevelopmentError: Error, CustomStringConvertible {
  let description: String
  init(_ description: String) { self.description = description }
}
