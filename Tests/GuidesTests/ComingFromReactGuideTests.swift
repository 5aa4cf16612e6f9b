// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
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

/// The Swift of the guide "Coming from React", compiled and run.
@Suite struct `The guide for people of React` {
  @Test func `shows a counter with a rule that holds on the server`() throws {
    let counter = try ModelDriver { Counter() }
    #expect(throws: SurfaceError.self) { try counter.perform("takeBack") }
    try counter.perform("add")
    try counter.perform("takeBack")
    #expect(counter["count"] == 0)
  }
}
