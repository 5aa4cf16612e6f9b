// SPDX-License-Identifier: MIT
// swift-format-ignore-file
// Made by Scripts/embed-templates.py.

extension NewFile {
static let counter: [NewFile] = [
NewFile(".gitignore", text: #"""
.build/
.swiftpm/

"""#),
NewFile("Package.swift", text: #"""
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "tally",
  dependencies: [.package(name: "euripus", path: "../..")],
  targets: [
    .executableTarget(
      name: "Tally", dependencies: [.product(name: "EuripusApp", package: "euripus")],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
    .testTarget(
      name: "TallyTests", dependencies: ["Tally", .product(name: "EuripusTesting", package: "euripus")],
      swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]),
  ]
)

"""#),
NewFile("Public/index.html", text: #"""
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Counter</title>
<script type="module" src="/euripus.js"></script>
</head>
<body>
<main data-vm-root="counter">
  <h1>Counter</h1>
  <output data-vm-text="count"></output>
  <button type="button" data-vm-do="add">Add</button>
  <button type="button" data-vm-do="takeBack" data-vm-attr-aria-disabled="!canTakeBack">Take back</button>
</main>
</body>
</html>

"""#),
NewFile("Sources/Tally/TallyApp.swift", text: #"""
import EuripusApp

final class Counter: ViewModel {
  @Observed var count = 0
  lazy var canTakeBack = Computed(self) { $0.count > 0 }

  func add() { count += 1 }
  func takeBack() { count -= 1 }

  static let surface = Surface<Counter>(
    "counter", .value("count", \.$count), .value("canTakeBack", \.canTakeBack),
    .action("add", Counter.add), .action("takeBack", Counter.takeBack, when: \.canTakeBack))
}

@main struct TallyApp: EuripusApp {
  var models: Models { Counter.init }
}

"""#),
NewFile("Tests/TallyTests/CounterTests.swift", text: #"""
import Euripus
import EuripusTesting
import Testing

@testable import Tally

@Suite struct `A counter` {
  @Test func `counts, and does not go below zero`() throws {
    let counter = try ModelDriver { Counter() }
    #expect(throws: SurfaceError.self) { try counter.perform("takeBack") }
    try counter.perform("add")
    #expect(counter["count"] == 1)
  }
}

"""#),
]
}
