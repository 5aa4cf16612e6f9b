// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

/// A search that waits until typing pauses, and a countdown.
final class Waiting: ViewModel {
  @Observed var found = ""
  @Observed var left = 3
  private let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func search(_ text: String) async throws {
    try await clock.sleep(for: .milliseconds(300))
    found = text
  }
  func count() async throws {
    while left > 0 {
      try await clock.sleep(for: .seconds(1))
      left -= 1
    }
  }
  func tick() async throws { while true { try await clock.sleep(for: .seconds(1)) } }
  func race() async throws -> String {
    try await withThrowingTaskGroup(of: String.self) { [clock] group in
      for (seconds, word) in [(5, "too late"), (9, "found")] {
        group.addTask {
          try await clock.sleep(for: .seconds(seconds))
          return word
        }
      }
      defer { group.cancelAll() }
      return try await group.next() ?? ""
    }
  }

  static let surface = Surface<Waiting>(
    "waiting", .value("found", \.$found), .value("left", \.$left),
    .command("search", Waiting.search, policy: .latest), .command("count", Waiting.count),
    .command("tick", Waiting.tick), .command("race", Waiting.race))
}

@Suite(.serialized, .timeLimit(.minutes(30))) struct `A test's clock` {
  private let clock: TestClock
  private let model: ModelDriver

  init() throws {
    let clock = TestClock()
    self.clock = clock
    model = try ModelDriver(clock: clock) { Waiting(clock: clock) }
  }

  @Test func `wakes a command when its time has come, and not before`() throws {
    try model.perform("search", "swift")
    #expect(clock.sleeping == 1)
    clock.advance(by: .milliseconds(299))
    #expect(model["found"] == "")
    model.expectChange {
      clock.advance(by: .milliseconds(1))
    } to: { state in
      state.found = "swift"
      state.search.executing = false
    }
  }

  @Test(arguments: 0..<200) func `runs every task that is due, also one that sleeps again, before it returns`(_: Int)
    throws
  {
    try model.perform("count")
    clock.advance(by: .seconds(2))
    #expect(model["left"] == 1)
    clock.advance(by: .seconds(2))
    #expect(model["left"] == 0)
    #expect(model["count/executing"] == false)
    #expect(clock.sleeping == 0)
    #expect(clock.now.elapsed == .seconds(4))
  }

  @Test func `wakes a cancelled command at once`() throws {
    try model.perform("search", "s")
    try model.perform("search", "sw")
    #expect(clock.sleeping == 1)
    clock.advance(by: .milliseconds(300))
    #expect(model["found"] == "sw")
    try model.perform("search", "swi")
    try model.cancel("search")
    #expect(clock.sleeping == 0)
    clock.advance(by: .seconds(1))
    #expect(model["found"] == "sw")
  }

  @Test func `goes on until nobody sleeps`() throws {
    try model.perform("count")
    try model.perform("search", "swift")
    clock.run()
    #expect(model["left"] == 0)
    #expect(model["found"] == "swift")
    #expect(clock.now.elapsed == .seconds(3))
  }

  @Test func `is waited for by a test where tasks of a group sleep`() async throws {
    try model.perform("race")
    await clock.sleepers(2)
    clock.advance(by: .seconds(5))
    await model.settled()
    #expect(model["race/result"] == "too late")
    #expect(clock.sleeping == 0)
  }

  @Test func `is that of the session's limits as well`() throws {
    try model.perform("search", "swift")
    let slow = try ModelDriver(clock: clock) { Waiting(clock: TestClock()) }
    try slow.perform("search", "swift")
    clock.advance(by: .seconds(3_600))
    #expect(slow["search/executing"] == false)
    #expect(slow["search/error"] != .null)
    #expect(model["found"] == "swift")
  }

  @Test func `leaves the view model where it is, however far it is moved`() throws {
    try model.perform("search", "swift")
    let revision = model.revision
    model.advance(by: .seconds(365 * 86_400))
    #expect(model["found"] == "swift")
    #expect(model.revision == revision + 1)
    try model.perform("count")
    #expect(model["count/executing"] == true)
  }

  @Test func `says so when something sleeps without end`() throws {
    try model.perform("tick")
    let found = failures { clock.run(limit: 3) }
    #expect(
      found == [
        """
        the clock was moved 3 times, and somebody sleeps again, now until 4.0 seconds; expected all to have done with \
        sleeping. Something that sleeps without end is moved with 'advance(by:)'
        """
      ])
  }
}
