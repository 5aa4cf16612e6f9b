// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import StoreRules
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

/// A view model that records the timers that have woken it.
final class Bell: ViewModel {
  private let context: SessionContext
  let rings = Observable<[String]>([])
  let ticks = Observable(0)

  init(_ context: SessionContext) { self.context = context }

  func arm(_ seconds: Int) throws { try context.wake(in: .seconds(seconds), for: "alarm") }

  func meet(_ seconds: Int) throws { try context.wake(at: context.now + .seconds(seconds), for: "meeting") }

  func ring(_ name: String) throws {
    rings.value.append(name)
    if name == "bad" { throw Note.Failure() }
  }

  func spoil(_ seconds: Int) throws { try context.wake(in: .seconds(seconds), for: "bad") }
  func tick() { ticks.value += 1 }

  static let surface = Surface<Bell>(
    "bell", .value("rings", \.rings), .value("ticks", \.ticks), .action("arm", Bell.arm),
    .action("meet", Bell.meet), .action("spoil", Bell.spoil), .onWake(Bell.ring),
    .every("tick", .seconds(3_600), Bell.tick))
}

extension Session {
  fileprivate nonisolated func shown(_ name: String) throws -> JSON? {
    try now { try $0.snapshot().value["state"]?[name] }
  }

  fileprivate nonisolated func arm(_ seconds: Int, by action: String = "arm") throws {
    _ = try now { try $0.perform([action], .integer(Int64(seconds)), since: nil, ifMatch: nil) }
  }
}

@Suite(.timeLimit(.minutes(30))) struct `A timer` {
  private let store = MemorySessions()

  private func host(_ store: (any SessionStore)? = nil, startingAhead: Duration = .zero) throws -> StoredHost {
    try StoredHost(
      store ?? MemorySessions(sharing: self.store), types: [.hosting { Bell($0) }], startingAhead: startingAhead
    ) {
      $0.idleTime = .seconds(600)
      $0.storedTime = .seconds(7_200)
    }
  }

  /// Lets these seconds pass at once, and waits for what is due then.
  private func pass(_ seconds: Int, _ stored: StoredHost) async throws {
    stored.clock.advance(by: .seconds(seconds))
    try await stored.tend()
  }

  /// The one session that is in the store.
  private func record() throws -> SessionRecord {
    let id = try #require(store.list(after: nil, limit: 1).first?.id)
    guard case .living(let record)? = store.read(id) else { throw SessionError.expired }
    return record
  }

  @Test func `acts when its time has come, as a revision that is stored with its being done`() async throws {
    let stored = try host()
    let opened = try await stored.open("bell")
    try opened.session.arm(60)
    let version = try opened.session.now { $0.version }
    let answers = Answers()
    _ = try opened.session.now { $0.poll(since: version, waiter: answers.waiter(1)) }
    #expect(await opened.session.stored() == nil)
    #expect(try record().wakesAt == 1_700_000_060_000)
    try await pass(59, stored)
    #expect(try opened.session.shown("rings") == [])
    try await pass(1, stored)
    #expect(answers.all == ["1 changed to 2"])
    #expect(try opened.session.shown("rings") == ["alarm"])
    // The next timer is the hourly one.
    #expect(try record().wakesAt == 1_700_003_600_000)
    try await pass(60, stored)
    #expect(try opened.session.shown("rings") == ["alarm"])
  }

  @Test func `loads a session that nobody has open, which acts and goes again`() async throws {
    let stored = try host()
    let opened = try await stored.open("bell")
    try opened.session.arm(3_000)
    // All unused sessions leave memory.
    try await pass(601, stored)
    #expect(stored.host.count == 0)
    try await pass(2_398, stored)
    #expect(try record().revision == 1)
    try await pass(1, stored)
    #expect(stored.host.count == 0)
    #expect(try record().revision == 2)
    let session = try await stored.living(opened.session.id, as: opened.newKey, in: "bell")
    #expect(try session.shown("rings") == ["alarm"])
  }

  @Test func `acts once after a stop in which it was due several times, and goes on in its rhythm`() async throws {
    let stored = try host()
    let opened = try await stored.open("bell")
    try opened.session.arm(60)
    #expect(await opened.session.stored() == nil)
    // The process is killed, and the next one begins nearly five hours later.
    let again = try host(startingAhead: .seconds(17_000))
    try await again.tend()
    #expect(again.host.count == 0)
    #expect(try record().wakesAt == 1_700_018_000_000)
    let session = try await again.living(opened.session.id, as: opened.newKey, in: "bell")
    #expect(try session.shown("ticks") == 1)
    #expect(try session.shown("rings") == ["alarm"])
  }

  @Test func `acts again if its effect was not stored, and leaves nothing of the first time`() async throws {
    let store = HeldStore()
    let stored = try host(store)
    let opened = try await store.open("bell", in: stored, isFound: true)
    try opened.session.arm(60)
    try await store.letThrough(lastOf: opened.session)
    stored.clock.advance(by: .seconds(60))
    stored.host.expire()
    await opened.session.settled()
    // The timer has acted, and the process is killed before that is stored.
    let lost = try await store.next()
    #expect(lost.changes.count == 1)
    let again = try host(MemorySessions(sharing: store.memory), startingAhead: .seconds(61))
    try await again.tend()
    let session = try await again.living(opened.session.id, as: opened.newKey, in: "bell")
    #expect(try session.shown("rings") == ["alarm"])
    // The store refuses the late change of the killed process.
    store.memory.commit(lost.changes, survivesPowerCut: false) { #expect($0 == [.fenced]) }
  }

  @Test func `is done by one of two servers that have its session, whichever claims it last`() async throws {
    let first = try host()
    let opened = try await first.open("bell")
    try opened.session.arm(60)
    #expect(await opened.session.stored() == nil)
    let second = try host()
    for each in [first, second] { each.clock.advance(by: .seconds(61)) }
    async let one: Void = first.tend()
    async let other: Void = second.tend()
    _ = try await (one, other)
    try await first.tend()
    try await second.tend()
    let session = try await second.living(opened.session.id, as: opened.newKey, in: "bell")
    #expect(try session.shown("rings") == ["alarm"])
    #expect(try record().revision == 2)
  }

  @Test func `that throws changes nothing, is in the log, and is not tried again`() async throws {
    let stored = try host()
    let opened = try await stored.open("bell")
    _ = try opened.session.now { try $0.perform(["spoil"], 5, since: nil, ifMatch: nil) }
    for _ in 0..<2 { try await pass(5, stored) }
    #expect(try opened.session.shown("rings") == [])
    #expect(
      stored.reports.withLock { $0 } == [.timerFailed("wake 'bad'", model: "bell", reason: "Failure: Failure()")])
  }

  private func hostWithoutStore(_ clock: ManualClock, ahead: Locked<Duration>) -> SessionHost {
    let begin = clock.now
    return SessionHost(
      [.hosting { Bell($0) }], configuration: .unhurried, now: { clock.now },
      wallClock: { Int64((clock.now - begin + ahead.withLock { $0 }) / .milliseconds(1)) })
  }

  @Test func `for a time of the calendar acts when the wall clock is set to it, without a store too`() async throws {
    let (clock, ahead) = (ManualClock(), Locked<Duration>(.zero))
    let host = hostWithoutStore(clock, ahead: ahead)
    let opened = try host.open("bell", as: nil)
    try opened.session.arm(60, by: "meet")
    ahead.withLock { $0 = .seconds(60) }
    for _ in 0..<2 {
      clock.advance(by: .seconds(1))
      host.expire()
      await opened.session.settled()
    }
    #expect(try opened.session.shown("rings") == ["meeting"])
  }

  @Test(arguments: [-3_600, 3_600])
  func `at the end of a duration acts after that time, however the wall clock is set`(step: Int) async throws {
    let stored = try host()
    let opened = try await stored.open("bell")
    try opened.session.arm(60)
    stored.ahead.withLock { $0 = .seconds(step) }
    try await pass(59, stored)
    #expect(try opened.session.shown("rings") == [])
    try await pass(1, stored)
    #expect(try opened.session.shown("rings") == ["alarm"])
    #expect(try record().wakesAt == 1_700_003_600_000 + Int64(step) * 1_000)
    // The session is used, and stays in memory.
    for passes in 1...6 {
      try await pass(590, stored)
      #expect(try opened.session.shown("ticks") == .integer(passes == 6 ? 1 : 0))
    }
  }

  @Test func `is stored anew when the wall clock was set, for the next process`() async throws {
    let stored = try host()
    let opened = try await stored.open("bell")
    try opened.session.arm(60)
    #expect(await opened.session.stored() == nil)
    stored.ahead.withLock { $0 = .seconds(-3_600) }
    try await stored.tend()
    #expect(try record().wakesAt == 1_699_996_460_000)
  }

  @Test func `in the store alone waits no longer than its duration if the wall clock is set back`() async throws {
    let stored = try host()
    let opened = try await stored.open("bell")
    try opened.session.arm(700)
    try await pass(601, stored)
    #expect(stored.host.count == 0)
    stored.ahead.withLock { $0 = .seconds(-3_600) }
    try await pass(1, stored)
    try await stored.tend()
    #expect(stored.host.count == 0)
    try await pass(700, stored)
    let session = try await stored.living(opened.session.id, as: opened.newKey, in: "bell")
    #expect(try session.shown("rings") == ["alarm"])
  }

  @Test func `keeps a session that nobody uses, until it has acted`() async throws {
    let stored = try host()
    let opened = try await stored.open("bell")
    try opened.session.arm(30_000)
    #expect(await opened.session.stored() == nil)
    // Without the timer, the store would keep the session for 7,200 s and twice the idle time.
    for _ in 0..<40 { try await pass(700, stored) }
    #expect(store.count().living == 1)
    try await pass(2_100, stored)
    #expect(try record().revision > 1)
    // The alarm counts as a use of the session, and the hourly timer does not.
    try await pass(7_000, stored)
    #expect(store.count().living == 1)
    for _ in 0..<8 { try await pass(700, stored) }
    #expect(store.count() == StoreCount())
    #expect(stored.host.count == 0)
  }

  @Test func `is forgotten with its session if no request has found that`() async throws {
    let stored = try host()
    try await stored.open("bell", isFound: false)
    #expect(store.count().living == 1)
    #expect(store.due(by: .max, after: nil, limit: 10) == [])
  }
}
