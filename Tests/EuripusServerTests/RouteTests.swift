// SPDX-License-Identifier: MIT
import Testing

@testable import EuripusServer

@Suite struct `A route` {
  @Test func `goes to a row whose key is empty, or has slashes and tildes`() {
    let rows = ["sessions", "shelf", "ID", "actions", "books", "items"]
    for (token, key) in [("", ""), ("~1", "/"), ("~0", "~"), ("~01", "~1")] {
      #expect(Route(rows + [token, "buy"]) == .action(model: "shelf", id: "ID", path: ["books", "items", key, "buy"]))
    }
  }

  @Test(arguments: [
    ["sessions", ""], ["sessions", "shelf", ""], ["sessions", "", "ID"], ["sessions", "shelf", "ID", ""],
  ])
  func `goes nowhere where a name is empty`(segments: [String]) {
    #expect(Route(segments) == .unknown)
  }
}
