// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import EuripusServer

@Suite struct `The page 'Everything with curl'` {
  /// This test compares the headings alone: `make test-transcript` runs the commands and compares their output.
  @Test func `has each route of the table, and none that there is not`() throws {
    let path = #filePath.replacing("Tests/EuripusServerTests/CurlPageTests.swift", with: "Documentation/CURL.md")
    let page = try String(contentsOfFile: path, encoding: .utf8)
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("### ") }.map { $0.dropFirst("### ".count) }
    let table = RouteTable.all.routes.map { "`\($0.method.rawValue) \($0.path.text)`" }
    #expect(headings.sorted() == table.map { $0[...] }.sorted())
  }
}
