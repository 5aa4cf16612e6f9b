// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// `Documentation/SCALING.md`, held to the files that it shows and to the times of the code.
@Suite struct `The page on several servers` {
  private let page: Article
  private let text: String

  init() throws {
    text = try Repository.text("Documentation/SCALING.md")
    page = Article(name: "SCALING.md", text: text)
  }

  @Test(arguments: [("haproxy", "haproxy.cfg"), ("nginx", "nginx.conf"), ("sql", "roles.sql")])
  func `shows the files that are tested, word for word`(language: String, name: String) throws {
    let shown = page.blocks.filter { $0.language == language }.map { $0.text + "\n" }
    #expect(shown == [try Repository.text("Examples/Scaling/\(name)")])
  }

  @Test(
    arguments: [
      (
        "Storing/Nodes/Presence.swift", #"pause: Duration = \.milliseconds\((\d+)\)"#, 1_000.0,
        "says every %@ s that it is there"
      ),
      (
        "Storing/Nodes/Lease.swift", #"time: Duration = \.seconds\((\d+)\)"#, 1,
        "from memory for %@ s after its last sign"
      ),
      ("Storing/Nodes/NodeWatch.swift", #"patience: Duration = \.milliseconds\(([\d_]+)\)"#, 1_000, "no sign for %@ s"),
      ("Sessions/Hosting/SessionHost+nodes.swift", #"mostPassed = (\d+)"#, 1, "When %@ requests in a row"),
    ])
  func `has the times of the code`(name: String, pattern: String, unit: Double, sentence: String) throws {
    let source = try Repository.text("Sources/\(name)")
    let match = try #require(source.firstMatch(of: Regex(pattern, as: (Substring, Substring).self)), "\(name)")
    let number = try #require(Double(match.output.1.replacing("_", with: ""))) / unit
    let expected = sentence.replacing("%@", with: number == number.rounded() ? "\(Int(number))" : "\(number)")
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains(expected), "expected '\(expected)'")
  }
}
