// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import EuripusTools

@Suite struct `The name of a new package` {
  @Test(arguments: [
    ("todo", "Todo"), ("shopping-list", "ShoppingList"), ("Board", "Board"), ("a", "A"), ("my-2-shops", "My2Shops"),
  ])
  func `names its module, word by word`(name: String, module: String) throws {
    #expect(try PackageName(name).module == module)
  }

  @Test(arguments: [
    "", "2do", "-todo", "todo-", "to--do", "to do", "to/do", "../todo", "todo.app", "to_do", "tödo", "--help",
    String(repeating: "a", count: 61),
  ])
  func `is refused where SwiftPM, Swift or a shell could misread it`(name: String) {
    let refused = #expect(throws: PackageName.Refused.self) { try PackageName(name) }
    #expect(refused?.description.hasPrefix("'\(name)' is no name for a package; expected a letter, then ") == true)
  }

  @Test(arguments: ["euripus", "sessions", "testing", "view-models"])
  func `is refused where its module would be one of ours or of Swift's`(name: String) {
    let refused = #expect(throws: PackageName.Refused.self) { try PackageName(name) }
    #expect(refused?.description.hasSuffix("expected another name: 'my-\(name)'") == true, "\(refused as Any)")
  }

  @Test func `is refused for each module of Sources that a program may import`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../..")
    let targets = try FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("Sources").path)
    // Those two are of the program 'euripus' alone.
    #expect(Set(targets).subtracting(["EuripusTools", "CSodium"]).subtracting(PackageName.taken) == [])
  }
}
