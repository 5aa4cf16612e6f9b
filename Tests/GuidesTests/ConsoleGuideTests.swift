// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The sentences of the guide "The console that helps", held to the client's tests.
@Suite struct `The guide on the console` {
  @Test func `shows sentences that the client's tests have too`() throws {
    let tests = try Guide.file("Tests/JavaScript/develop.test.mjs")
    let table = try #require(Guide("Console").text.components(separatedBy: "| the console says |").dropFirst().first)
    let sentences = table.matches(of: #/(?m)^\| `(data-vm-[^`]+)`/#).map { String($0.1) }
    #expect(sentences.count >= 8)
    for sentence in sentences {
      for part in sentence.split(separator: "…") {
        #expect(tests.contains(part), "the client's tests have no '\(part)'")
      }
    }
  }
}
