// SPDX-License-Identifier: MIT
import Euripus
import Foundation
import Testing

/// A guide of `Euripus.docc`, and the file of this folder that compiles its Swift.
struct Guide: CustomTestStringConvertible {
  private static let root = #filePath.replacing("Tests/GuidesTests/Guide.swift", with: "")
  private static let catalogue = root + "Sources/Euripus/Euripus.docc/"

  let name: String
  let text: String

  var testDescription: String { name }

  init(_ name: String) throws {
    self.name = name
    text = try String(contentsOfFile: Self.catalogue + name + ".md", encoding: .utf8)
  }

  /// The guides, by name.
  static func all() throws -> [Guide] {
    try FileManager.default.contentsOfDirectory(atPath: catalogue).filter { $0.hasSuffix(".md") }.sorted().map {
      try Guide(String($0.dropLast(3)))
    }
  }

  static func file(_ path: String) throws -> String { try String(contentsOfFile: root + path, encoding: .utf8) }

  /// The texts between fences of a language, in order.
  func blocks(_ language: String) -> [String] {
    text.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  /// The JSON that the guide shows, block by block.
  func json() throws -> [JSON] { try blocks("json").map { try JSONReader.read(Array($0.utf8)) } }

  /// The lines of a text without their indentation and without the empty ones, as one text.
  static func trimmed(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
      .joined(separator: "\n")
  }
}
