// SPDX-License-Identifier: MIT
import Euripus
import EuripusApp
import EuripusTesting
import Foundation
import ObservableCore
import Testing

final class Counter: ViewModel {
  @Observed var count = 0
  lazy var canTakeBack = Computed(self) { $0.count > 0 }

  func add() { count += 1 }
  func takeBack() { count -= 1 }

  static let surface = Surface<Counter>(
    "counter", .value("count", \.$count), .value("canTakeBack", \.canTakeBack),
    .action("add", Counter.add), .action("takeBack", Counter.takeBack, when: \.canTakeBack))
}

// Compiled and not run, as it serves until a signal. `EuripusCommandTests` runs another app. In the README it
// has `@main`.
struct CounterApp: EuripusApp {
  var models: Models { Counter.init }
}

/// The Swift of the README, compiled and run: each of its lines stands in this file.
@Suite(.timeLimit(.minutes(30))) struct `The README` {
  @Test func `tests it without a server, and over HTTP`() throws {
    let counter = try ModelDriver { Counter() }
    #expect(throws: SurfaceError.self) { try counter.perform("takeBack") }
    try counter.perform("add")
    #expect(counter["count"] == 1)

    let client = try TestServer([.hosting { Counter() }]).client()
    let url = try client.open("counter")
    #expect(try client.request("POST", "\(url)/actions/add").status == 200)
  }

  @Test func `shows the core alone, which tells of a transaction once`() throws {
    var printed: [String] = []
    func print(_ line: String) { printed.append(line) }

    let price = Observable(2.0, name: "price")
    let count = Observable(3, name: "count")
    let total = Computed(name: "total") { price.value * Double(count.value) }
    total.addObserver(Observer { print("the total is now \($0)") })

    try transaction {
      price.value = 2.5
      count.value = 4
    }
    #expect(printed == ["the total is now 10.0"])
  }

  @Test func `shows a page with attributes that name values or actions of the counter`() throws {
    let page = try #require(try blocks(of: "html", in: "README.md").first)
    let names = page.matches(of: #/data-vm-(root|text|do|attr-[a-z-]+)="!?([A-Za-z]+)"/#)
    #expect(names.count == page.components(separatedBy: "data-vm-").count - 1)
    let counter = try ModelDriver { Counter() }
    for name in names {
      let named = String(name.2)
      switch name.1 {
      case "root": #expect(named == "counter")
      case "do": try counter.perform(named)
      default: #expect(counter[named] != nil, "there is no value '\(named)'")
      }
    }
  }

  @Test func `shows no line of Swift that is not compiled here`() throws {
    try expectCompiled(blocks(of: "swift", in: "README.md"), in: #filePath, count: 3)
  }
}

/// The text of each block of a page that is in a language.
func blocks(of language: String, in page: String) throws -> [String] {
  let root = #filePath.replacing("Tests/DemosTests/ReadmeTests.swift", with: "")
  let text = try String(contentsOfFile: root + page, encoding: .utf8)
  return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
    $0.components(separatedBy: "```").first
  }
}

/// Expects that each line of some blocks stands in a file of these tests.
func expectCompiled(_ blocks: [String], in file: String, count: Int) throws {
  func lines(_ text: String) -> [String] {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
  }
  let here = Set(lines(try String(contentsOfFile: file, encoding: .utf8)))
  #expect(blocks.count == count)
  for line in blocks.flatMap(lines) {
    #expect(here.contains(line.replacing("@main ", with: "")), "not compiled: \(line)")
  }
}
