// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// The article's program, held to `Examples/Todo`, where it is built and tested.
@Suite struct `Build your own view model in ten minutes` {
  static let article = Result { try Repository.text("Sources/Euripus/Euripus.docc/TenMinutes.md") }
  static let files = [
    "Package.swift", "Sources/Todo/TodoViewModel.swift", "Sources/Todo/TodoApp.swift", "Public/index.html",
    "Tests/TodoTests/TodoTests.swift", "Tests/TodoTests/TodoOverHTTPTests.swift",
  ]

  @Test(arguments: files) func `shows each file of the example as it is`(file: String) throws {
    let article = try Self.article.get()
    let example = try Repository.text("Examples/Todo/" + file)
      .split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.contains("SPDX-License-Identifier") }
      .joined(separator: "\n")
      // The reader's copy of Euripus lies in another place than the example's.
      .replacing(#"name: "euripus", path: "../..""#, with: #"path: "../euripus""#)
    let blocks = article.components(separatedBy: "```").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    #expect(blocks.contains { $0.drop { $0 != "\n" }.dropFirst() == example }, "\(file) is not in the article as it is")
    #expect(article.contains("`\(file)`"))
  }

  @Test func `has no other block of Swift or HTML`() throws {
    let fences = try Self.article.get().split(separator: "\n").filter {
      $0.hasPrefix("```swift") || $0.hasPrefix("```html")
    }
    #expect(fences.count == Self.files.count)
  }
}
