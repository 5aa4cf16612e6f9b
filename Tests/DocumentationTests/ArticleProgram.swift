// SPDX-License-Identifier: MIT
import Foundation

/// The Swift of an article as one program: it prints the lines that each block prints.
///
/// A block of declarations alone stands at file scope, where the blocks after it can use it; any other is a function of
/// its own, which is called.
struct ArticleProgram {
  /// A block, with the lines that it prints by the article.
  struct Part {
    let block: Article.Block
    let expected: [String]

    /// Whether each of its unindented lines begins or ends a declaration.
    var isDeclarations: Bool {
      block.text.split(separator: "\n").filter { !$0.hasPrefix(" ") && !$0.hasPrefix("//") }.allSatisfy { line in
        line.hasPrefix("}") || line.hasPrefix("import ")
          || line.prefixMatch(of: #/@\w+|(final )?class |struct |enum |actor |func |extension |protocol /#) != nil
      }
    }
  }

  let article: Article
  let parts: [Part]

  /// - Parameter article: the fence after a block says what the block prints, if its language is another. If
  ///   not, comments in the block say so, of the form `// prints 1, then 2`.
  init(_ article: Article) {
    self.article = article
    parts = article.blocks.indices.filter { article.blocks[$0].language == "swift" }.map { index in
      let block = article.blocks[index]
      let next = article.blocks.dropFirst(index + 1).first
      if let next, next.language != "swift" {
        return Part(block: block, expected: next.text.components(separatedBy: "\n"))
      }
      let comments = block.text.split(separator: "\n").compactMap { $0.firstMatch(of: #/// prints (.*)$/#)?.1 }
      return Part(block: block, expected: comments.flatMap { $0.components(separatedBy: ", then ") })
    }
  }

  var source: String {
    var text = "import EventSequences\nimport ObservableCore\n"
    for part in parts where part.isDeclarations { text += located(part) + part.block.text + "\n" }
    let calls = parts.filter { !$0.isDeclarations }
    for part in calls {
      text += "@MainActor func block\(part.block.line)() async throws {\n"
      text += located(part) + part.block.text + "\n}\n"
    }
    text += "#sourceLocation()\n@main struct Main {\n  static func main() async throws {\n"
    for part in calls {
      text += "    print(\"\(Self.mark)\(part.block.line)\")\n    try await block\(part.block.line)()\n"
    }
    return text + "  }\n}\n"
  }

  /// The beginning of the line before the prints of a block. The number of the block's line follows it.
  static let mark = "--- block of line "

  private func located(_ part: Part) -> String {
    "#sourceLocation(file: \"\(article.name)\", line: \(part.block.line))\n"
  }

  /// The text with each place of the program as the line of its block, counted from 1. An article speaks of a
  /// file of its own, which begins with the block.
  func places(in text: String) -> String {
    text.replacing(#/(?:"file":")?Login\/(\w+\.\w+)(?::|","line":)(\d+)/#) { match in
      guard match.1 == article.name, let line = Int(match.2),
        let block = article.blocks.last(where: { $0.line <= line })
      else { return "Login:\(match.2)" }
      return "Login:\(line - block.line + 1)"
    }
  }

  /// The prints of each block, by its line.
  func run() throws -> [Int: [String]] {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("articles-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, binary) = (folder.appendingPathComponent("Login.swift"), folder.appendingPathComponent("article"))
    try Data(source.utf8).write(to: file)
    let built = try Built()
    try Tool.run(
      "/usr/bin/env",
      ["swiftc", "-parse-as-library", "-swift-version", "6", "-module-name", "Login", "-I", built.modules]
        + ["-I", built.header, "-o", binary.path, file.path] + built.objects)
    var printed: [Int: [String]] = [:]
    var line: Int?
    for text in try Tool.run(binary.path, []).split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if text.hasPrefix(Self.mark) {
        line = Int(text.dropFirst(Self.mark.count))
      } else if let line {
        printed[line, default: []].append(String(text))
      }
    }
    return printed
  }
}
