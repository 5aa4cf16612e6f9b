// SPDX-License-Identifier: MIT
import EuripusTesting
import JSONPatching
import ObservableCore
import Testing

@testable import ViewModels

/// A view model that asks its session to wake it, and notes down when it was woken.
private final class Clockwork: ViewModel {
  struct Failure: Error {}
  private let context: SessionContext
  @Observed var lines: [String] = []
  @Observed var hours = 0

  init(_ context: SessionContext) { self.context = context }

  func note(_ name: String, _ seconds: Int) throws { try context.wake(in: .seconds(seconds), for: name) }
  func forget(_ name: String) throws { try context.cancelWake(for: name) }
  func regret(_ name: String) throws {
    try context.wake(in: .seconds(1), for: name)
    throw Failure()
  }
  func wake(_ name: String) throws {
    lines.append("\(name) at \(context.now.milliseconds / 1_000 - 1_000_000_000)")
    if name == "again", lines.count < 4 { try context.wake(in: .seconds(10), for: "again") }
  }
  func strike() { hours += 1 }

  static let surface = Surface<Clockwork>(
    "clockwork", .value("lines", \.$lines), .value("hours", \.$hours),
    .action("note", Clockwork.note, takes: "name", "seconds"),
    .action("forget", Clockwork.forget), .action("regret", Clockwork.regret), .onWake(Clockwork.wake),
    .every("strike", .seconds(3_600), Clockwork.strike))
}

@Suite(.timeLimit(.minutes(30))) struct `Timers of a view model` {
  private let clockwork: ModelDriver

  init() throws { clockwork = try ModelDriver { Clockwork($0) } }

  private func note(_ name: String, _ seconds: Int) throws {
    try clockwork.perform("note", ["name": .string(name), "seconds": .integer(Int64(seconds))])
  }

  @Test func `act at their times, in their order, when a test moves its clock`() throws {
    try note("second", 7)
    try note("first", 5)
    try note("again", 6)
    clockwork.advance(by: .seconds(4))
    #expect(clockwork["lines"] == [])
    let before = clockwork.revision
    clockwork.advance(by: .seconds(60))
    #expect(clockwork["lines"] == ["first at 5", "again at 6", "second at 7", "again at 16"])
    #expect(clockwork.revision == before + 4)
    clockwork.advance(by: .seconds(3 * 3_600))
    #expect(clockwork["hours"] == 3)
  }

  @Test func `are set anew under the same name, and cancelled`() throws {
    try note("one", 5)
    try note("one", 9)
    try note("two", 5)
    try clockwork.perform("forget", "two")
    try clockwork.perform("forget", "three")
    clockwork.advance(by: .seconds(20))
    #expect(clockwork["lines"] == ["one at 9"])
  }

  @Test func `go with the transaction that set them, if it is undone`() throws {
    #expect(throws: ViewModelFailure.self) { try clockwork.perform("regret", "one") }
    clockwork.advance(by: .seconds(20))
    #expect(clockwork["lines"] == [])
  }

  @Test func `act at once if their time has passed`() throws {
    try note("late", -5)
    clockwork.advance(by: .zero)
    #expect(clockwork["lines"] == ["late at 0"])
  }

  @Test func `are refused with a sentence where they are too far, too many or too long`() throws {
    func refusal(_ name: String, _ seconds: Int) -> String? {
      do {
        try note(name, seconds)
        return nil
      } catch { return ((error as? ViewModelFailure)?.cause as? WakeRefused)?.description ?? "\(error)" }
    }
    #expect(refusal("far", 366 * 86_400) == nil)
    #expect(refusal("far", 367 * 86_400) == "the wake for 'far' is 367 days ahead; expected at most 366")
    #expect(
      refusal(String(repeating: "n", count: 201), 1) == "the name of a wake has 201 bytes; expected at most 200")
    for number in 1..<64 { #expect(refusal("\(number)", 100) == nil) }
    #expect(refusal("1", 200) == nil)
    #expect(
      refusal("one more", 100)
        == "the session would have 65 wakes at a time; expected at most 64: cancel one, or set the next one when one is done"
    )
  }

  @Test func `are stored and come back, whatever an init sets once more`() throws {
    final class Keen: ViewModel {
      let context: SessionContext
      @Observed var count = 0
      init(_ context: SessionContext) {
        self.context = context
        try? context.wake(in: .seconds(10), for: "first")
      }
      func wake(_: String) { count += 1 }
      static let surface = Surface<Keen>("keen", .value("count", \.$count), .onWake(Keen.wake))
    }
    let type = HostedModelType.hosting { Keen($0) }
    var origin: SessionOrigin = "one"
    let now = Moment(instant: .now, milliseconds: 50_000)
    origin.clock = { now }
    let model = try type.make(for: origin)
    #expect(model.context?.wakes == ["first": WallTime(milliseconds: 60_000)])
    try model.runTimer(.wake("first"))
    #expect(model.context?.wakes == [:])
    let stored = try #require(model.context?.storedTimers(at: now))
    #expect(stored == ["wakes": [:], "every": [:]])
    origin.timers = Timers(stored: stored, at: now)
    let again = try type.restore(["count": 1], schema: 1, for: origin)
    #expect(again.context?.wakes == [:])
    origin.timers = Timers(stored: ["wakes": ["a": 7, "b": "no time"]], at: now)
    #expect(try type.restore(["count": 1], schema: 1, for: origin).context?.wakes == ["a": WallTime(milliseconds: 7)])
  }

  @Test func `cannot be set where the surface does not say what is done then, which is the action's error`() throws {
    final class Asleep: ViewModel {
      let context: SessionContext
      init(_ context: SessionContext) { self.context = context }
      func arm() throws { try context.wake(in: .seconds(1), for: "alarm") }
      static let surface = Surface<Asleep>("asleep", .action("arm", Asleep.arm))
    }
    let asleep = try ModelDriver { Asleep($0) }
    let failure = #expect(throws: ViewModelFailure.self) { try asleep.perform("arm") }
    #expect(
      failure.map { "\($0.cause)" }
        == "a view model wants to be woken for 'alarm'; expected a surface that says what is done then: "
        + "write '.onWake(…)' in the surface of the view model that is hosted")
  }

  @Test func `that repeat begin with their surface, and end with it`() {
    let now = Moment(instant: .now, milliseconds: 1_000)
    func begun(_ periods: JSON) -> JSON? {
      let stored = Timers(stored: ["every": periods], at: now)
      return Clockwork.surface.timers.begun(stored, now: now.instant).json(at: now)["every"]
    }
    #expect(begun(["strike": 500, "gone": 3]) == ["strike": 500])
    #expect(begun([:]) == ["strike": 3_601_000])
    // A clock that was set back must not keep the timer from acting.
    #expect(begun(["strike": 9_999_999_999]) == ["strike": 3_601_000])
  }

  @Test func `at the end of a duration are stored with its length, and wait no longer if a clock was set back`() {
    let now = Moment(instant: .now, milliseconds: 1_000_000)
    var timers = Timers()
    timers.wakes["soon"] = .after(.seconds(60), ends: now.instant + .seconds(20))
    timers.wakes["then"] = .at(WallTime(milliseconds: 1_500_000))
    let stored = timers.json(at: now)
    #expect(stored == ["wakes": ["soon": 1_020_000, "then": 1_500_000], "every": [:], "lengths": ["soon": 60_000]])
    #expect(Timers(stored: stored, at: now) == timers)
    timers.wakes["soon"] = .after(.seconds(60), ends: now.instant + .seconds(60))
    #expect(Timers(stored: stored, at: Moment(instant: now.instant, milliseconds: 100_000)) == timers)
  }

  @Test(arguments: [(0, 3_600_000), (3_599_999, 3_600_000), (3_600_000, 7_200_000), (9_000_000, 10_800_000)])
  func `that repeat go on where they would have been`(late: Int64, next: Int64) {
    let start = ContinuousClock.now
    var timers = Timers()
    timers.periods["strike"] = start
    let after = Clockwork.surface.timers.done(.every("strike"), timers, now: start + .milliseconds(late))
    #expect(after.periods == ["strike": start + .milliseconds(next)])
  }

  @Test func `go by a time of the calendar`() {
    let time = WallTime(secondsSince1970: 1.5)
    #expect(time.milliseconds == 1_500)
    #expect((time + .milliseconds(250)).secondsSince1970 == 1.75)
    #expect(time - WallTime(milliseconds: 500) == .seconds(1))
    #expect(WallTime(secondsSince1970: .infinity) > WallTime(secondsSince1970: 1e11))
    #expect(WallTime(secondsSince1970: .nan) == WallTime(secondsSince1970: .infinity))
    #expect(time + .seconds(Int64.max) > time)
  }
}
