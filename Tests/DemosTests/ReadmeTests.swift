// SPDX-License-Identifier: MIT
import Euripus
import EuripusApp
import EuripusTesting
import Foundation
import ObservableCore
import Testing

final class Counter: ViewModel {
  @Observed var count = 0

  func more() { count += 1 }

  static let surface = Surface<Counter>("counter", .value("count", \.$count), .action("more", Counter.more))
}

// Compiled and not run: it serves until a signal. `EuripusCommandTests` runs another. In the README it has `@main`.
struct CounterApp: EuripusApp {
  var models: Models { Counter.init }
}

/// The Swift of the README, compiled and run: each of its lines stands in this file.
@Suite(.timeLimit(.minutes(5))) struct `The README` {
  @Test func `tests it without a server, and over HTTP`() throws {
    let counter = try ModelDriver { Counter() }
    try counter.perform("more")
    #expect(counter["count"] == 1)

    let client = try TestServer([.hosting { Counter() }]).client()
    let url = try client.open("counter")
    #expect(try client.request("POST", "\(url)/actions/more").status == 200)
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

  @Test func `shows no line of Swift that is not compiled here`() throws {
    let root = #filePath.replacing("Tests/DemosTests/ReadmeTests.swift", with: "")
    let readme = try String(contentsOfFile: root + "README.md", encoding: .utf8)
    let here = try String(contentsOfFile: #filePath, encoding: .utf8).split(separator: "\n").map(trimmed)
    let blocks = readme.components(separatedBy: "```swift\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
    #expect(blocks.count == 4)
    for line in blocks.flatMap({ $0.split(separator: "\n") }).map(trimmed) where !line.isEmpty {
      #expect(here.contains(line.replacing("@main ", with: "")), "not compiled: \(line)")
    }
  }

  private func trimmed(_ line: Substring) -> String { line.trimmingCharacters(in: .whitespaces) }
}
