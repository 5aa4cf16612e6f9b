// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The public symbols of a module, as DocC gets them.
private struct SymbolGraph: Decodable {
  struct Symbol: Decodable {
    struct Documentation: Decodable {
      struct Line: Decodable { let text: String }
      let lines: [Line]
    }
    let pathComponents: [String]
    let docComment: Documentation?

    /// The first line of the docstring, which DocC takes for the summary.
    var summary: String? { docComment?.lines.first { !$0.text.isEmpty }?.text }
  }
  let symbols: [Symbol]

  /// The symbols of a module, those with which it extends others included.
  static func symbols(of module: String) throws -> [Symbol] {
    let built = try Built()
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("symbols-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let target = try JSONDecoder().decode(
      TargetInfo.self, from: Data(try Tool.run("/usr/bin/env", ["swiftc", "-print-target-info"]).utf8))
    try Tool.run(
      "/usr/bin/env",
      ["swift-symbolgraph-extract", "-module-name", module, "-I", built.modules, "-I", built.header]
        + ["-target", target.target.triple, "-minimum-access-level", "public", "-skip-synthesized-members"]
        + ["-output-dir", folder.path])
    return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).flatMap {
      try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: $0)).symbols
    }
  }
}

private struct TargetInfo: Decodable {
  struct Target: Decodable { let triple: String }
  let target: Target
}

@Suite(.timeLimit(.minutes(30))) struct `Every public symbol` {
  @Test(arguments: ["ObservableCore", "EventSequences"])
  func `says its meaning, and stands in the module's article`(module: String) throws {
    let symbols = try SymbolGraph.symbols(of: module)
    #expect(symbols.count > 50)
    for symbol in symbols {
      let path = symbol.pathComponents.joined(separator: ".")
      #expect(
        symbol.summary?.hasPrefix("- ") == false,
        "the docstring of \(path) begins with '\(symbol.summary ?? "")'; expected a sentence on what it is")
    }
    let article = try Repository.text("\(Repository.sources(of: module))/\(module).docc/\(module).md")
    let topics = try #require(article.components(separatedBy: "\n## Topics\n").dropFirst().first)
    // A symbol with a longer path is shown with its type.
    for name in Set(symbols.filter { $0.pathComponents.count == 1 }.compactMap(\.pathComponents.first)) {
      let listed = try topics.contains(Regex("- ``\(name.prefix { $0 != "(" })(``|\\()"))
      #expect(listed, "\(name) is in no topic of \(module).md")
    }
  }
}
