// SPDX-License-Identifier: MIT
import EuripusTesting
import Foundation
import JSONPatching
import ObservableCore
import Testing
import ViewModels

final class SearchViewModel: ViewModel {
  typealias Find = nonisolated(nonsending) @Sendable (String) async throws -> [String]

  @Observed var words = ""
  @Observed var found: [String] = []
  private let clock: any Clock<Duration>
  private let find: Find

  init(clock: any Clock<Duration> = ContinuousClock(), find: @escaping Find) {
    self.clock = clock
    self.find = find
  }

  func search() async throws {
    try await clock.sleep(for: .milliseconds(300))
    found = try await find(words)
  }

  static let surface = Surface<SearchViewModel>(
    "search", .twoWay("words", \.$words), .value("found", \.$found),
    .command("search", SearchViewModel.search, policy: .latest))
}

/// The Swift of the article "Test a view model", compiled and run. GuidesTests compares the lines.
@Suite(.timeLimit(.minutes(30))) struct `The article about tests` {
  typealias Down = `A scripted service`.Down

  @Test func `shows a search, with its changes, its time and its service`() throws {
    let clock = TestClock()
    let find = Scripted<[String]>("find", .returns(["a", "b"]), .fails(Down()))
    let search = try ModelDriver(clock: clock) { SearchViewModel(clock: clock) { _ in try await find() } }
    try search.expectChange {
      try search.set("words", "swift")
      try search.perform("search")
    } to: { state in
      state.words = "swift"
      state.search.executing = true
    }
    clock.advance(by: .milliseconds(300))
    #expect(search["found"] == ["a", "b"])
    try search.perform("search")
    clock.run()
    #expect(search["search/error"] == ["type": "down", "detail": "the service is down"])
    find.expectAllTaken()
  }

  @Test func `shows the words of a test that forgets a value`() throws {
    let search = try ModelDriver { SearchViewModel(clock: TestClock()) { _ in [] } }
    let found = try failures {
      try search.expectChange {
        try search.set("words", "swift")
        try search.perform("search")
      } to: { state in
        state.words = "swift"
      }
    }
    #expect(try found.count == 1 && article().contains("```text\n\(found[0])\n```"), "got: \(found)")
  }

  @Test func `shows a search that is the same after a restart`() async throws {
    try await expectRestorable { SearchViewModel(clock: TestClock(waits: false)) { _ in ["a"] } }
  }

  private func article() throws -> String {
    let root = #filePath.replacing("Tests/EuripusTestingTests/TestingGuideTests.swift", with: "")
    return try String(contentsOfFile: root + "Sources/Euripus/Euripus.docc/Testing.md", encoding: .utf8)
  }
}
