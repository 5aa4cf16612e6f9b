// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import Testing

/// The pages of the clients, and the guide, held to programs that run.
@Suite(.timeLimit(.minutes(30))) struct `The pages of the clients` {
  private static let clients = GeneratedTypes.root + "Examples/Clients/"
  private static let guide = GeneratedTypes.root + "Sources/Euripus/Euripus.docc/OtherLanguages.md"

  private static func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

  private static func blocks(of language: String, in path: String) throws -> [String] {
    try text(path).components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  /// Runs the program of a page, with one more line at its end, on a server of its own.
  private static func run(
    _ language: String, in page: String, with tool: [String], as name: String, _ files: [String], then last: String
  ) throws -> String {
    let server = try TestServer([GeneratedTypes.todo])
    return try Tool.inFolder { folder in
      for file in files {
        let from = URL(fileURLWithPath: clients + file)
        try FileManager.default.copyItem(at: from, to: folder.appendingPathComponent(from.lastPathComponent))
      }
      let program = try #require(try blocks(of: language, in: page).first)
        .replacing("http://127.0.0.1:8080", with: String(server.url.dropLast()))
      #expect(program.contains(server.url.dropLast()))
      try (program + last).write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
      return try Tool.run(tool + [name], in: folder)
    }
  }

  private static let javaScript = ["JavaScript/client.js", "JavaScript/patch.js", "JavaScript/package.json"]

  @Test(arguments: [clients + "JavaScript/README.md", guide]) func `have JavaScript that runs`(page: String) throws {
    let output = try Self.run(
      "js", in: page, with: ["node"], as: "program.js", Self.javaScript, then: "process.exit();\n")
    #expect(output == "0 left\n")
  }

  @Test(arguments: [clients + "Python/README.md", guide]) func `have Python that runs`(page: String) throws {
    let output = try Self.run(
      "python", in: page, with: ["python3", "-B"], as: "program.py", ["Python/euripus_client.py"], then: "")
    #expect(output == "0 left\n")
  }

  @Test func `have no line of other code that is not compiled`() throws {
    let compiled = try ["RemoteTests.swift", "typescript/buy.ts"].map { try Self.text(GeneratedTypes.folder + $0) }
    let client = try Self.text(Self.clients + "Python/euripus_client.py")
    var count = 0
    for page in [Self.clients + "Swift/README.md", Self.guide] {
      for language in ["swift", "ts", "py"] {
        for line in try Self.blocks(of: language, in: page).flatMap({ $0.split(separator: "\n") }) {
          let line = line.trimmingCharacters(in: .whitespaces)
          count += 1
          #expect((compiled + [client]).contains { $0.contains(line) }, "\(page): \(line)")
        }
      }
    }
    #expect(count > 20)
  }

  @Test func `have the guide in 150 lines, with no fence that nobody looks at`() throws {
    let guide = try Self.text(Self.guide)
    #expect(guide.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    let fences = guide.split(separator: "\n").filter { $0.hasPrefix("```") && $0 != "```" }
    for fence in fences { #expect(["```js", "```python", "```swift", "```ts", "```py", "```sh"].contains(fence)) }
    // The tests of the command cover these commands.
    #expect(
      try Self.blocks(of: "sh", in: Self.guide) == [
        """
        euripus types todo --typescript > todo.ts
        euripus types todo --swift > RemoteTodo.swift

        """
      ])
  }
}
