// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

final class Finder: ViewModel {
  typealias Find = nonisolated(nonsending) @Sendable (String) async throws -> [String]

  @Observed var text = ""
  @Observed var found: [String] = []
  lazy var isEmpty = Computed(self) { $0.found.isEmpty }
  lazy var search = Command<Void, Void>(self, Finder.find, policy: .latest)
  private let clock: any Clock<Duration>
  private let service: Find

  init(clock: any Clock<Duration> = ContinuousClock(), service: @escaping Find) {
    self.clock = clock
    self.service = service
    $text.addObserver(Observer(self) { finder, _ in finder.search.execute(()) })
  }

  private func find() async throws {
    try await clock.sleep(for: .milliseconds(300))
    found = try await service(text)
  }

  static let surface = Surface<Finder>(
    "finder", .twoWay("text", \.$text), .value("found", \.$found), .value("isEmpty", \.isEmpty),
    .command("search", \.search))
}

/// The Swift of the guide "Coming from RxSwift or Combine", compiled and run.
@Suite struct `The guide for people of RxSwift` {
  @Test func `shows a search that waits until typing pauses, and drops older ones`() throws {
    let clock = TestClock()
    let find = Scripted<[String]>("find", .returns(["tea"]))
    let finder = try ModelDriver(clock: clock) { Finder(clock: clock) { _ in try await find() } }
    try finder.set("text", "t")
    clock.advance(by: .milliseconds(200))
    try finder.set("text", "te")
    clock.advance(by: .milliseconds(300))
    #expect(finder["found"] == ["tea"])
    #expect(finder["isEmpty"] == false)
    find.expectAllTaken()
  }
}
