// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// A view model that follows times, and takes as many milliseconds for each as it says. Beyond a minute a command takes
/// the rest. It cannot take a negative one.
private final class Looker: ViewModel {
  private let heard = Observer<Int>()
  let seen = Observable<[Int]>([])
  let press = Observer<Void>()
  let reload: Command<Int, Void>

  init(_ clock: ManualClock, _ times: AsyncStream<Int>) {
    reload = Command(heard) { _, milliseconds, _ in
      await Task.yield()
      clock.advance(by: .milliseconds(milliseconds))
    }
    heard.follow(times, name: "times")
    heard.handle(self) { looker, milliseconds in
      looker.seen.value.append(milliseconds)
      if milliseconds < 0 { throw Note.Failure() }
      if milliseconds > 60_000 {
        looker.reload.execute(milliseconds - 60_000)
      } else {
        clock.advance(by: .milliseconds(milliseconds))
      }
    }
  }

  static let surface = Surface<Looker>(
    "looker", .value("seen", \.seen), .command("reload", \.reload), .action("press", \.press))
}

/// The time that code takes which a session's client has not asked for (PROTOCOL §7).
@Suite(.timeLimit(.minutes(30))) struct `The time of others` {
  private let clock = ManualClock()
  private let send: AsyncStream<Int>.Continuation
  private let lines: AsyncStream<SessionReport>
  private let host: SessionHost
  private let session: Session

  init() throws {
    let (times, send) = AsyncStream.makeStream(of: Int.self)
    let (lines, line) = AsyncStream.makeStream(of: SessionReport.self)
    (self.send, self.lines) = (send, lines)
    host = SessionHost(
      [.hosting { [clock] in Looker(clock, times) }], now: { [clock] in clock.now }, report: { line.yield($0) })
    session = try host.open("looker", as: nil).session
  }

  /// Waits for that many reports; they are in any order.
  private func reports(_ count: Int) async -> [String] {
    var told: [String] = []
    for await line in lines {
      told.append("\(line)")
      if told.count == count { break }
    }
    return told.sorted()
  }

  private func press() throws { _ = try session.now { try $0.perform(["press"], nil, since: nil, ifMatch: nil) } }

  private func seen() throws -> JSON? { try session.now { try $0.snapshot() }.value["state"]?["seen"] }

  @Test func `is taken by followed sequences: the next element waits, and no request is refused`() async throws {
    for time in [2_000, 1] { send.yield(time) }
    try press()
    let told = await reports(2)
    #expect(told[0].hasPrefix("'following times (SessionsTests/"), "\(told)")
    #expect(told[0].hasSuffix("of looker held its session for 2000 ms"), "\(told)")
    #expect(told[1].hasPrefix("following times (") && told[1].hasSuffix("of looker waits for 3000 ms"), "\(told)")
    try press()
    #expect(try seen() == [2_000])
    let (answers, answer) = AsyncStream.makeStream(of: PollAnswer.self)
    let isWaiting = try session.now { session in
      session.poll(.poll(since: session.version)) { answer.yield($0) } == nil
    }
    #expect(isWaiting)
    clock.advance(by: .seconds(4))
    host.expire()
    #expect(await answers.first { _ in true }?.message != nil)
    #expect(try seen() == [2_000, 1])
  }

  @Test func `is taken by the commands that followed sequences start`() async throws {
    send.yield(62_000)
    try press()
    let told = await reports(1)
    #expect(told[0].hasPrefix("'a step of reload (SessionsTests/"), "\(told)")
    await session.settled()
    #expect(session.use.time.wait(clock.now) == nil)
    #expect(session.use.timeOfOthers.wait(clock.now) == .seconds(3))
  }

  @Test func `is given to the element after one whose handler throws, which is undone and logged`() async throws {
    for time in [-1, -2, 5, -3] { send.yield(time) }
    try press()
    let told = await reports(2)
    // A sequence that fails again and again is reported once, until an element is taken.
    for line in told {
      #expect(line.hasPrefix("following times (SessionsTests/TimeOfOthersTests.swift:"), "\(told)")
      #expect(line.hasSuffix("of looker threw Failure: Failure()"), "\(told)")
    }
    try press()
    #expect(try seen() == [5])
  }
}
