// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// A view model whose actions, commands and timers take as many milliseconds as they are told.
private final class Slow: ViewModel {
  private let clock: ManualClock
  private let context: SessionContext
  /// The closures that actions run meanwhile, the last one first.
  private let inside: Locked<[@Sendable () -> Void]>
  private(set) lazy var step = Command<Int, Void>(self) { me, milliseconds, _ in
    await Task.yield()
    try me().clock.advance(by: .milliseconds(milliseconds))
  }

  init(_ clock: ManualClock, _ context: SessionContext, _ inside: Locked<[@Sendable () -> Void]>) {
    (self.clock, self.context, self.inside) = (clock, context, inside)
  }

  func work(_ milliseconds: Int) {
    clock.advance(by: .milliseconds(milliseconds))
    inside.withLock { $0.popLast() }?()
  }
  func fail(_ milliseconds: Int) throws {
    clock.advance(by: .milliseconds(milliseconds))
    throw Note.Failure()
  }
  func arm() throws { try context.wake(in: .seconds(60), for: "alarm") }
  func armAnother() throws { try context.wake(in: .seconds(60), for: "another") }
  func ring(_ name: String) { clock.advance(by: .seconds(2)) }

  static let surface = Surface<Slow>(
    "slow", .action("work", Slow.work), .action("fail", Slow.fail), .command("step", \.step), .action("arm", Slow.arm),
    .action("armAnother", Slow.armAnother), .onWake(Slow.ring))
}

/// An input that takes as many milliseconds to be read as it says.
private struct Late: JSONRepresentable {
  static let clock = ManualClock()
  /// A closure that is called when the time has passed.
  static let didPass = Locked<@Sendable () -> Void>({})
  static let jsonTypeName = "milliseconds"
  let milliseconds: Int

  init(json: JSON) throws(JSONMismatch) {
    milliseconds = try Int(json: json)
    Self.clock.advance(by: .milliseconds(milliseconds))
    Self.didPass.withLock { $0 }()
  }

  func write(to writer: inout JSONWriter) { writer.integer(milliseconds) }
}

private final class Reader: ViewModel {
  let read = Observer<Late>()
  static let surface = Surface<Reader>("reader", .action("read", \.read))
}

/// A client's actions may take 200 ms of each second, and 1 s at once (PROTOCOL §7).
@Suite struct `The time of a client` {
  private let clock = ManualClock()
  private let host: SessionHost
  private let inside = Locked<[@Sendable () -> Void]>([])
  private let reports = Locked<[SessionReport]>([])

  init() {
    let begin = clock.now
    host = SessionHost(
      [.hosting { [clock, inside] in Slow(clock, $0, inside) }], configuration: .with { $0.actionRate = nil },
      now: { [clock] in clock.now },
      wallClock: { [clock] in 1_700_000_000_000 + Int64((clock.now - begin) / .milliseconds(1)) },
      report: { [reports] report in reports.withLock { $0.append(report) } })
  }

  private func work(_ session: Session, _ milliseconds: Int64, _ action: String = "work") throws {
    try session.now { session in
      _ = try session.perform([action], .integer(milliseconds), since: nil, ifMatch: nil)
    }
  }

  /// The time to wait that refuses an action; `nil` if the action is done.
  private func wait(_ session: Session) throws -> Duration? {
    do { try work(session, 0) } catch SessionError.tooMuchTime(let wait) { return wait }
    return nil
  }

  @Test func `is a second at once, and then a fifth of the time`() throws {
    let session = try host.open("slow", as: nil).session
    for _ in 0..<10 { try work(session, 100) }
    // Actions may take 1,250 ms in 1,250 ms: the second at once, and a fifth of that time.
    for milliseconds in [200, 50] as [Int64] {
      try work(session, milliseconds)
      #expect(try wait(session) == nil)
    }
    try work(session, 1)
    let left = try #require(try wait(session))
    #expect(left > .zero && left < .milliseconds(10))
    clock.advance(by: left)
    try work(session, 100)
    #expect(try wait(session) == .milliseconds(400))
    // A refused action takes none of the client's time.
    #expect(try wait(session) == .milliseconds(400))
    clock.advance(by: .seconds(600))
    try work(session, 1_000)
    #expect(try wait(session) == nil)
  }

  @Test func `is shared by its sessions, and none of another client's`() throws {
    let opened = try host.open("slow", as: nil)
    let second = try host.open("slow", as: opened.credential).session
    let other = try host.open("slow", as: nil).session
    try work(opened.session, 2_000)
    #expect(try wait(second) == .seconds(3))
    #expect(try wait(other) == nil)
    // The time counts on when the session that took it is closed.
    host.close(opened.session)
    let third = try host.open("slow", as: opened.credential).session
    #expect(try wait(third) == .seconds(3))
  }

  @Test func `is taken by an action that fails, too`() throws {
    let session = try host.open("slow", as: nil).session
    #expect(throws: ViewModelFailure.self) { try work(session, 2_000, "fail") }
    #expect(try wait(session) == .seconds(3))
  }

  @Test func `is taken by the look at many changes with a malformed one, and that look is watched`() throws {
    let clock = Late.clock
    let host = SessionHost([.hosting { Reader() }], now: { clock.now })
    Late.didPass.withLock { didPass in
      didPass = { [reports] in
        let overdue = host.overdueActions()
        reports.withLock { $0 += overdue }
      }
    }
    defer { Late.didPass.withLock { $0 = {} } }
    let session = try host.open("reader", as: nil).session
    let refusals = Locked<Int?>(nil)
    try session.now { session in
      session.begin(.waiting(for: [.perform(["read"], 11_000), nil, .perform(["nothing"])])) { answer in
        guard case .failure(let error as ChangesRefused) = answer else { return }
        refusals.withLock { $0 = error.refusals.count }
      }
    }
    #expect(refusals.withLock { $0 } == 1)
    let told = SessionReport.slowAction("2 at once", model: "reader", took: .seconds(11), isOver: false)
    #expect(reports.withLock { $0 } == [told])
    #expect(try session.now { $0.use.time.wait(clock.now) } == .seconds(39))
  }

  @Test func `is not taken by more than four slow actions at once`() throws {
    let opened = try host.open("slow", as: nil)
    let other = try host.open("slow", as: nil).session
    let sessions = try [opened.session] + (0..<4).map { _ in try host.open("slow", as: opened.credential).session }
    let outcomes = Locked<[String]>([])
    let work = { @Sendable (session: Session, milliseconds: Int64) in
      let outcome: String
      do {
        try session.now { _ = try $0.perform(["work"], .integer(milliseconds), since: nil, ifMatch: nil) }
        outcome = "done"
      } catch SessionError.tooMuchTime(let wait) { outcome = "\(wait)" } catch { outcome = "\(error)" }
      outcomes.withLock { $0.append(outcome) }
    }
    // The action has proved to be slow now.
    work(sessions[0], 30)
    clock.advance(by: .seconds(60))
    // Each action runs within the one before it. The other client's action is no reason to refuse. The fifth
    // action of this client is refused.
    let within = (sessions[1...3] + [other, sessions[4]]).map { session in { @Sendable in work(session, 0) } }
    inside.withLock { $0 = within.reversed() }
    work(sessions[0], 0)
    #expect(outcomes.withLock { $0 } == ["done", "1.0 seconds", "done", "done", "done", "done", "done"])
  }

  @Test func `is waited for a minute at most`() throws {
    let session = try host.open("slow", as: nil).session
    try work(session, 3_600_000)
    #expect(try wait(session) == .seconds(60))
    clock.advance(by: .seconds(60))
    #expect(try wait(session) == nil)
  }

  @Test(.timeLimit(.minutes(30)))
  func `is taken by the steps of a command after its first suspension, which are told of`() async throws {
    let session = try host.open("slow", as: nil).session
    let (overs, over) = AsyncStream.makeStream(of: Void.self)
    try session.now { session in
      _ = try session.perform(["step"], 2_000, since: nil, ifMatch: nil)
      #expect(session.whenCommandsAreOver { over.yield() })
    }
    _ = await overs.first { _ in true }
    await session.settled()
    #expect(session.use.time.wait(clock.now) == .seconds(3))
    let told = reports.withLock { $0 }.map { "\($0)" }
    #expect(told.count == 1 && told[0].hasPrefix("'a step of step (SessionsTests/"), "\(told)")
    #expect(told.first?.hasSuffix("of slow held its session for 2000 ms") == true, "\(told)")
  }

  @Test func `is not taken by a timer, and one that is due next waits until there is time for it`() async throws {
    let session = try host.open("slow", as: nil).session
    for action in ["arm", "armAnother"] {
      try session.now { _ = try $0.perform([action], nil, since: nil, ifMatch: nil) }
    }
    clock.advance(by: .seconds(60))
    host.expire()
    await session.settled()
    #expect(session.use.time.wait(clock.now) == nil)
    #expect(session.use.timeOfOthers.wait(clock.now) == .seconds(3))
    clock.advance(by: .seconds(3))
    host.expire()
    await session.settled()
    #expect(session.use.timeOfOthers.wait(clock.now) == .seconds(8))
  }
}
