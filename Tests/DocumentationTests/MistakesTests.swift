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
    let page = try Repository.text("Documentation/MISTAKES.md")
    rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.compactMap { line in
      let cells = line.dropFirst().dropLast().components(separatedBy: " | ")
      guard cells.count == 4, let file = cells[3].firstMatch(of: #/`(Tests/[^`]+)`/#) else { return nil }
      let sentence = cells[2].trimmingCharacters(in: CharacterSet(charactersIn: "` "))
      return Row(mistake: cells[0], sentence: sentence, file: String(file.1))
    }
  }

  @Test func `has twenty at least, each with a sentence that its test has too`() throws {
    #expect(rows.count >= 20)
    for row in rows {
      // The test's source may break a sentence into lines and escape its quotes. Both are undone here.
      let test = try Repository.text(row.file).replacing(#/"\n?\s*\+ "|\\\n\s*/#, with: "").replacing(
        "\\\"", with: "\"")
      for part in row.sentence.split(separator: "…") {
        #expect(test.contains(part), "\(row.file) has no '\(part)' (\(row.mistake))")
      }
    }
  }

  @Test func `has each sentence by which the compiler refuses a mistake, with its file`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Repository.root + "Tests/Refused")
    var count = 0
    for file in files.filter({ $0.hasSuffix(".swift") }).map({ "Tests/Refused/" + $0 }) {
      // If there is a warning too, that is the sentence to read.
      let expected = #/// expected error: (.*)\n(?:\s*// expected warning: (.*)\n)?/#
      for found in try Repository.text(file).matches(of: expected) {
        let sentence = String(found.2 ?? found.1)
        #expect(rows.contains { $0.file == file && $0.sentence == sentence }, "\(file): not on the page: \(sentence)")
        count += 1
      }
    }
    #expect(count > 30)
  }
}
