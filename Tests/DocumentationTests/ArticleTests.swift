// SPDX-License-Identifier: MIT
import Testing

@Suite(.timeLimit(.minutes(30))) struct `The articles` {
  static let articles = Result { try Article.all(of: "ObservableCore") + Article.all(of: "EventSequences") }

  @Test func `are there, each with Swift that is compiled and run`() throws {
    let articles = try Self.articles.get()
    #expect(
      articles.map(\.name) == [
        "Lifetime.md", "ModelsOfObservation.md", "ObservableCore.md", "Tracing.md", "Transactions.md",
        "WhichOfThese.md", "EventSequences.md",
      ])
    for article in articles {
      #expect(article.blocks.contains { $0.language == "swift" }, "\(article.name) has no Swift")
      for block in article.blocks {
        #expect(
          ["swift", "text", "dot", "json", "mermaid"].contains(block.language),
          "\(article.name):\(block.line - 1): a fence of '\(block.language)'")
      }
    }
  }

  @Test(arguments: try articles.get())
  func `compile, and print the lines that they show`(article: Article) throws {
    let program = ArticleProgram(article)
    let printed = try program.run()
    for part in program.parts {
      let lines = (printed[part.block.line] ?? []).map { program.places(in: $0) }
      #expect(
        lines == part.expected.map { program.places(in: $0) },
        "\(article.name):\(part.block.line): expected \(part.expected), got \(lines)")
    }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `The check of an article` {
  private func article(_ swift: String) -> Article {
    Article(name: "Broken.md", text: "# Title\n\nText.\n\n```swift\n\(swift)\n```\n")
  }

  @Test func `names the article and the line of a mistake`() {
    let failure = #expect(throws: ToolFailure.self) {
      try ArticleProgram(article("let one = Observable(1)\none.value = \"text\"")).run()
    }
    #expect(failure?.complaints.contains("Broken.md:7:") == true, "got: \(failure?.complaints ?? "no error")")
    let second = #expect(throws: ToolFailure.self) {
      try ArticleProgram(article("struct One {\n  let one = Two()\n}")).run()
    }
    #expect(second?.complaints.contains("Broken.md:7:") == true, "got: \(second?.complaints ?? "no error")")
  }

  @Test func `notices a block that ends the process or throws`() {
    #expect(throws: ToolFailure.self) { try ArticleProgram(article("fatalError()")).run() }
    #expect(throws: ToolFailure.self) { try ArticleProgram(article("throw CancellationError()")).run() }
  }

  @Test func `compares the lines that a block announces with those that it prints`() throws {
    let comments = ArticleProgram(article("for i in 1...2 { print(i) }  // prints 1, then 3"))
    #expect(comments.parts.map(\.expected) == [["1", "3"]])
    #expect(try comments.run() == [6: ["1", "2"]])
    let fence = ArticleProgram(
      Article(name: "Fence.md", text: "```swift\nprint(1)\n```\nand so\n```text\n2\n```\n"))
    #expect(fence.parts.map(\.expected) == [["2"]])
    #expect(try fence.run() == [2: ["1"]])
  }

  @Test func `takes a line of the article for that of the file that the article speaks of`() {
    let program = ArticleProgram(article("let one = Observable(1)\nprint(one.origin)\nprint(1)"))
    #expect(program.places(in: "Login/Broken.md:7") == "Login:2")
    #expect(program.places(in: "Login/Login.swift:2") == "Login:2")
    #expect(program.places(in: #""file":"Login/Broken.md","line":8}"#) == "Login:3}")
    #expect(program.places(in: #""file":"Login/Login.swift","line":2}"#) == "Login:2}")
  }
}
