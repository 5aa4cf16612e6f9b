// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusTools

/// The lines of a program in development that its author's pages show.
@Suite struct `A line of a program in development` {
  @Test(arguments: [
    "/x/Sources/App/Todo.swift:12: Fatal error: Index out of range",
    "App/Todo.swift:7: Precondition failed: no such row",
  ]) func `is a trap if it has the place of one`(line: String) { #expect(ServedApp.news(in: line) == .trapped(line)) }

  @Test(arguments: ["2026-01-01T00:00:00Z info stopped", "see Todo.swift:12 for a Fatal error"])
  func `says nothing to the pages otherwise`(line: String) { #expect(ServedApp.news(in: line) == nil) }

  @Test func `tells that the next program has taken the place, or cannot`() {
    let (taken, kept) = (
      "notice the program at its path has taken the server's place", "cannot take the server's place"
    )
    #expect(ServedApp.news(in: "\(taken) process=1") == .replaced)
    #expect(ServedApp.news(in: "error the program at its path \(kept); the one before it goes on") == .notReplaced)
  }
}
