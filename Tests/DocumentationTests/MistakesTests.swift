// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `Documentation/MISTAKES.md`, held to the tests that it names.
@Suite struct `The page of mistakes` {
  struct Row {
    let mistake: String
    /// The sentence, with `…` where it differs from time to time.
    let sentence: String
    let file: String
  }

  let rows: [Row]

  init() throws {
    let page = try String(contentsOfFile: Repository.root + "Documentation/MISTAKES.md", encoding: .utf8)
    rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap { line in
      let cells = line.dropFirst().dropLast().components(separatedBy: " | ")
      guard cells.count == 4, let file = cells[3].firstMatch(of: #/`(Tests/[^`]+)`/#) else { return nil }
      let sentence = cells[2].trimmingCharacters(in: CharacterSet(charactersIn: "` "))
      return Row(mistake: cells[0], sentence: sentence, file: String(file.1))
    }
  }

  private func text(of file: String) throws -> String {
    try String(contentsOfFile: Repository.root + file, encoding: .utf8)
  }

  @Test func `has twenty at least, each with a sentence that its test has too`() throws {
    #expect(rows.count >= 20)
    for row in rows {
      // The test's source may break a sentence into lines and escape its quotes. Both are undone here.
      let test = try text(of: row.file).replacing(#/"\n?\s*\+ "|\\\n\s*/#, with: "").replacing("\\\"", with: "\"")
      for part in row.sentence.split(separator: "…") {
        #expect(test.contains(part), "\(row.file) has no '\(part)' (\(row.mistake))")
      }
    }
  }

  @Test func `has each that the compiler refuses, with its sentence: of a warning, where there is one`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Repository.root + "Tests/Refused")
    #expect(files.count > 20)
    for file in files.filter({ $0.hasSuffix(".swift") }) {
      let source = try text(of: "Tests/Refused/" + file)
      let error = source.firstMatch(of: #/// expected error: (.*)/#)?.1
      let warning = source.firstMatch(of: #/// expected warning: (.*)/#)?.1
      let row = rows.first { $0.file == "Tests/Refused/" + file }
      #expect(row != nil, "\(file) is not on the page")
      if let row { #expect(row.sentence == (warning ?? error).map(String.init), "\(file)") }
    }
  }
}
