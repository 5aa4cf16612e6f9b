// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// A view model whose action takes as many milliseconds as its input says.
private final class Slow: ViewModel {
  let work = Observer<Int>()
  let fail = Observer<Int>()

  init(_ clock: ManualClock) {
    work.handle { clock.advance(by: .milliseconds($0)) }
    fail.handle {
      clock.advance(by: .milliseconds($0))
      throw Note.Failure()
    }
  }

  static let surface = Surface<Slow>("slow", .action("work", \.work), .action("fail", \.fail))
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

/// A view model whose action runs a test's closure meanwhile.
private final class Nested: ViewModel {
  let work = Observer<Int>()

  init(_ clock: ManualClock, _ inside: Locked<[@Sendable () -> Void]>) {
    work.handle {
      clock.advance(by: .milliseconds($0))
      inside.withLock { $0.popLast() }?()
    }
  }

  static let surface = Surface<Nested>("nested", .action("work", \.work))
}

/// A view model with a command and a timer that take as many milliseconds as they are told.
private final class Patient: ViewModel {
  private let clock: ManualClock
  private let context: SessionContext
  private(set) lazy var work = Command<Int, Void>(self) { me, milliseconds, _ in
    await Task.yield()
    try me().clock.advance(by: .milliseconds(milliseconds))
  }

  init(_ clock: ManualClock, _ context: SessionContext) { (self.clock, self.context) = (clock, context) }

  func arm() throws { try context.wake(in: .seconds(60), for: "alarm") }
  func ring(_ name: String) { clock.advance(by: .seconds(2)) }

  static let surface = Surface<Patient>(
    "patient", .command("work", \.work), .action("arm", Patient.arm), .onWake(Patient.ring))
}

/// A client's actions may take 200 ms of each second, and 1 s at once (PROTOCOL §7).
@Suite struct `The time of a client` {
  private let clock = ManualClock()
  private let host: SessionHost

  init() {
    var configuration = SessionConfiguration()
    configuration.actionRate = nil
    host = SessionHost(
      [.hosting { [clock] in Slow(clock) }], configuration: configuration, now: { [clock] in clock.now })
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
    try work(session, 200)
    #expect(try wait(session) == nil)
    try work(session, 50)
    #expect(try wait(session) == nil)
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
    let key = try #require(opened.newKey)
    let second = try host.open("slow", as: Credential(hashing: key)).session
    let other = try host.open("slow", as: nil).session
    try work(opened.session, 2_000)
    #expect(try wait(second) == .seconds(3))
    #expect(try wait(other) == nil)
    // The time counts on when the session that took it is closed.
    host.close(opened.session)
    let third = try host.open("slow", as: Credential(hashing: key)).session
    #expect(try wait(third) == .seconds(3))
  }

  @Test func `is taken by an action that fails, too`() throws {
    let session = try host.open("slow", as: nil).session
    #expect(throws: ViewModelFailure.self) { try work(session, 2_000, "fail") }
    #expect(try wait(session) == .seconds(3))
  }

  @Test func `is taken by the look at many changes of which one is malformed, which is watched`() throws {
    let clock = Late.clock
    let host = SessionHost([.hosting { Reader() }], now: { clock.now })
    let reports = Locked<[SessionReport]>([])
    Late.didPass.withLock { didPass in
      didPass = {
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
    #expect(
      reports.withLock { $0 } == [
        .slowAction("2 at once", model: "reader", took: .seconds(11), isOver: false)
      ])
    #expect(try session.now { $0.use.time.wait(clock.now) } == .seconds(39))
  }

  @Test func `is not taken by more than four slow actions at once`() throws {
    var configuration = SessionConfiguration()
    configuration.actionRate = nil
    let inside = Locked<[@Sendable () -> Void]>([])
    let host = SessionHost(
      [.hosting { [clock] in Nested(clock, inside) }], configuration: configuration, now: { [clock] in clock.now })
    let opened = try host.open("nested", as: nil)
    let other = try host.open("nested", as: nil).session
    let key = Credential(hashing: try #require(opened.newKey))
    let sessions = try [opened.session] + (0..<4).map { _ in try host.open("nested", as: key).session }
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

  /// A session whose time is its view model's, and the log's reports.
  private func patient() throws -> (host: SessionHost, session: Session, reports: Locked<[SessionReport]>) {
    let reports = Locked<[SessionReport]>([])
    let begin = clock.now
    let host = SessionHost(
      [.hosting { [clock] context in Patient(clock, context) }], now: { [clock] in clock.now },
      wallClock: { [clock] in 1_700_000_000_000 + Int64((clock.now - begin) / .milliseconds(1)) },
      report: { report in reports.withLock { $0.append(report) } })
    return (host, try host.open("patient", as: nil).session, reports)
  }

  @Test(.timeLimit(.minutes(5)))
  func `is taken by the steps of a command after its first suspension, which are told of`() async throws {
    let (_, session, reports) = try patient()
    let over = AsyncStream.makeStream(of: Void.self)
    try session.now { session in
      _ = try session.perform(["work"], 2_000, since: nil, ifMatch: nil)
      #expect(session.whenCommandsAreOver { over.continuation.yield() })
    }
    var overs = over.stream.makeAsyncIterator()
    await overs.next()
    await session.settled()
    #expect(session.use.time.wait(clock.now) == .seconds(3))
    #expect(
      reports.withLock { $0 } == [
        .slowAction("a step of a command", model: "patient", took: .seconds(2), isOver: true)
      ])
  }

  @Test func `is taken by a timer`() async throws {
    let (host, session, _) = try patient()
    try session.now { _ = try $0.perform(["arm"], nil, since: nil, ifMatch: nil) }
    clock.advance(by: .seconds(60))
    host.expire()
    await session.settled()
    #expect(session.use.time.wait(clock.now) == .seconds(3))
  }
}
