// SPDX-License-Identifier: MIT
import Foundation
import Testing

/// All guides: tests hold everything that they show.
@Suite struct `The guides` {
  static let guides = Result { try Guide.all() }
  /// The guides whose Swift other tests compare.
  static let comparedElsewhere = [
    "Deploying": "Tests/OutsidePackage/guides.py",
    "OtherLanguages": "Tests/ClientTypesTests/ClientPagesTests.swift",
    "TenMinutes": "Tests/DocumentationTests/TenMinutesTests.swift",
  ]
  /// The guides each line of which stands in a test, though not each block.
  static let compiledByLine = ["Testing", "Timers", "Users"]

  @Test(arguments: try guides.get()) func `show no Swift that is not compiled`(guide: Guide) throws {
    let blocks = guide.blocks("swift")
    if let file = Self.comparedElsewhere[guide.name] {
      #expect(try Guide.file(file).contains("\(guide.name).md"))
    } else if Self.compiledByLine.contains(guide.name) {
      let test = Guide.trimmed(try Guide.file("Tests/EuripusTestingTests/\(guide.name)GuideTests.swift"))
      let source = Set(test.split(separator: "\n"))
      for line in Guide.trimmed(blocks.joined(separator: "\n").replacing("@main ", with: "")).split(separator: "\n") {
        #expect(source.contains(line), "\(guide.name): not compiled: \(line)")
      }
      #expect(blocks.count > 1)
    } else if !blocks.isEmpty {
      let source = Guide.trimmed(try Guide.file("Tests/GuidesTests/\(guide.name)GuideTests.swift"))
      for block in blocks {
        // `@main` begins a program, which a bundle of tests cannot have in it.
        let text = Guide.trimmed(block.replacing("@main ", with: ""))
        #expect(source.contains(text), "\(guide.name): not compiled, word for word:\n\(block)")
      }
    }
  }

  @Test(arguments: try guides.get()) func `show no attribute of a page that there is not`(guide: Guide) throws {
    let types = try Guide.file("Public/euripus.d.ts")
    let whole = Set(types.matches(of: #/"(data-vm-[a-z]+)"\?/#).map { String($0.1) })
    let begun = types.matches(of: #/`(data-vm-[a-z]+-)\$\{string\}`/#).map { String($0.1) }
    #expect(whole.count > 25 && begun.count > 4)
    let markup = guide.blocks("html").joined(separator: "\n")
    for attribute in markup.matches(of: #/\s(data-vm-[a-zA-Z-]+)/#).map({ String($0.1) }) {
      let isKnown = whole.contains(attribute) || begun.contains { attribute.hasPrefix($0) }
      #expect(isKnown, "\(guide.name): there is no attribute '\(attribute)'")
    }
  }

  @Test func `answer forty questions, in three sentences each`() throws {
    let answers = try Guide("Questions").text.components(separatedBy: "\n\n").filter { $0.hasPrefix("**") }
    #expect(answers.count == 40)
    for answer in answers {
      let text = answer.components(separatedBy: "** ").dropFirst().joined(separator: " ")
        .replacing(#/<doc:\w+>/#, with: "").replacing(#/`[^`]*`/#, with: "").replacing(#/\]\([^)]*\)/#, with: "")
      #expect(text.matches(of: #/[.!?](\s|$)/#).count <= 3, "more than three sentences: \(answer)")
    }
  }

  @Test(arguments: try guides.get()) func `are short`(guide: Guide) {
    // The oldest guides, each of which has all of a topic.
    let longer = ["Surfaces", "TenMinutes", "Users", "Questions"]
    let count = guide.text.split(separator: "\n", omittingEmptySubsequences: false).count
    #expect(longer.contains(guide.name) || count <= 140, "\(guide.name) has \(count) lines")
  }

  @Test func `are all in the list of the module's page`() throws {
    let page = try Guide("Euripus").text
    let topics = try #require(page.components(separatedBy: "\n## Topics\n").last)
    for guide in try Self.guides.get() where guide.name != "Euripus" {
      #expect(topics.contains("- <doc:\(guide.name)>\n"), "\(guide.name) is not in the topics of Euripus.md")
    }
  }

  @Test(arguments: try guides.get()) func `name only settings and commands that there are`(guide: Guide) throws {
    let page = try Guide.file("Documentation/OPERATIONS.md")
    let others = ["help", "json", "ready", "user", "static-swift-stdlib", "product", "build", "no-install-recommends"]
    for line in guide.blocks("sh").joined(separator: "\n").split(separator: "\n") where line.contains(" serve ") {
      for option in line.matches(of: #/--([a-z-]+)/#).map({ String($0.1) }) where !others.contains(option) {
        #expect(page.contains("| `\(option)` |"), "\(guide.name): there is no setting '\(option)'")
      }
    }
  }
}

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
