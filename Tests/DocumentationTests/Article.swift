// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// One article of a DocC catalogue, with the blocks between its fences.
struct Article: CustomTestStringConvertible {
  /// The text between two fences.
  struct Block {
    /// The word after the opening fence.
    let language: String
    /// The line of the article on which the text begins, counted from 1.
    let line: Int
    let text: String
  }

  let name: String
  let blocks: [Block]

  var testDescription: String { name }

  init(name: String, text: String) {
    self.name = name
    var blocks: [Block] = []
    var open: (language: String, line: Int)?
    var lines: [Substring] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if !line.hasPrefix("```") {
        if open != nil { lines.append(line) }
      } else if let opened = open {
        blocks.append(Block(language: opened.language, line: opened.line, text: lines.joined(separator: "\n")))
        open = nil
      } else {
        open = (String(line.dropFirst(3)), index + 2)
        lines = []
      }
    }
    self.blocks = blocks
  }

  /// The articles of a module's catalogue, by name.
  static func all(of module: String) throws -> [Article] {
    let catalogue = "\(Repository.sources(of: module))/\(module).docc/"
    let files = try FileManager.default.contentsOfDirectory(atPath: Repository.root + catalogue)
    return try files.filter { $0.hasSuffix(".md") }.sorted().map {
      Article(name: $0, text: try Repository.text(catalogue + $0))
    }
  }
}

enum Repository {
  static let root = #filePath.replacing("Tests/DocumentationTests/Article.swift", with: "")

  /// The folder of a target's sources.
  static func sources(of target: String) -> String {
    target == "EventSequences" ? "EventSequences/Sources" : "Sources/\(target)"
  }

  static func text(_ path: String) throws -> String { try String(contentsOfFile: root + path, encoding: .utf8) }
}
