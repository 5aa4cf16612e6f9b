// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

/// A view model that records the timers that have woken it.
final class Bell: ViewModel {
  private let context: SessionContext
  let rings = Observable<[String]>([])
  let ticks = Observable(0)

  init(_ context: SessionContext) { self.context = context }

  func arm(_ seconds: Int) throws { try context.wake(in: .seconds(seconds), for: "alarm") }
  func disarm() throws { try context.cancelWake(for: "alarm") }

  func ring(_ name: String) throws {
    rings.value.append(name)
    if name == "bad" { throw Note.Failure() }
  }

  func spoil(_ seconds: Int) throws { try context.wake(in: .seconds(seconds), for: "bad") }
  func tick() { ticks.value += 1 }

  static let surface = Surface<Bell>(
    "bell", .value("rings", \.rings), .value("ticks", \.ticks), .action("arm", Bell.arm),
    .action("disarm", Bell.disarm),
    .action("spoil", Bell.spoil), .onWake(Bell.ring), .every("tick", .seconds(3_600), Bell.tick))
}

extension Session {
  fileprivate nonisolated func shown(_ name: String) throws -> JSON? {
    try now { try $0.snapshot().value["state"]?[name] }
  }

  fileprivate nonisolated func arm(_ seconds: Int) throws {
    _ = try now { try $0.perform(["arm"], .integer(Int64(seconds)), since: nil, ifMatch: nil) }
  }
}

extension StoredHost {
  fileprivate init(_ store: any SessionStore, bell clock: ManualClock = ManualClock(), startingAhead: Duration = .zero)
    throws
  {
    try self.init(store, clock: clock, types: [.hosting { Bell($0) }], startingAhead: startingAhead) {
      $0.idleTime = .seconds(600)
      $0.storedTime = .seconds(7_200)
    }
  }

  /// Lets so much time pass that all unused sessions leave memory.
  fileprivate func rest() async throws {
    clock.advance(by: .seconds(601))
    try await tend()
  }
}

@Suite(.timeLimit(.minutes(5))) struct `A timer` {
  @Test func `acts when its time has come, as a revision that is stored with its being done`() async throws {
    let (store, stored) = try Self.host()
    let opened = try await stored.open("bell")
    try opened.session.arm(60)
    let version = try opened.session.now { $0.version }
    let answers = Answers()
    _ = try opened.session.now { $0.poll(since: version, waiter: answers.waiter(1)) }
    #expect(await opened.session.stored() == nil)
    #expect(try Self.record(store).wakesAt == 1_700_000_060_000)
    stored.clock.advance(by: .seconds(59))
    try await stored.tend()
    #expect(try opened.session.shown("rings") == [])
    stored.clock.advance(by: .seconds(1))
    try await stored.tend()
    #expect(answers.all == ["1 changed to 2"])
    #expect(try opened.session.shown("rings") == ["alarm"])
    // The next timer is the hourly one.
    #expect(try Self.record(store).wakesAt == 1_700_003_600_000)
    stored.clock.advance(by: .seconds(60))
    try await stored.tend()
    #expect(try opened.session.shown("rings") == ["alarm"])
  }

  @Test func `that is cancelled, or set anew, acts no more at its old time`() async throws {
    let (_, stored) = try Self.host()
    let opened = try await stored.open("bell")
    try opened.session.arm(10)
    try opened.session.arm(20)
    stored.clock.advance(by: .seconds(11))
    try await stored.tend()
    #expect(try opened.session.shown("rings") == [])
    _ = try opened.session.now { try $0.perform(["disarm"], nil, since: nil, ifMatch: nil) }
    stored.clock.advance(by: .seconds(20))
    try await stored.tend()
    #expect(try opened.session.shown("rings") == [])
  }

  @Test func `loads a session that nobody has open, which acts and goes again`() async throws {
    let (store, stored) = try Self.host()
    let opened = try await stored.open("bell")
    try opened.session.arm(3_000)
    try await stored.rest()
    #expect(stored.host.count == 0)
    stored.clock.advance(by: .seconds(2_398))
    try await stored.tend()
    #expect(try Self.record(store).revision == 1)
    stored.clock.advance(by: .seconds(1))
    try await stored.tend()
    #expect(stored.host.count == 0)
    #expect(try Self.record(store).revision == 2)
    let session = try await stored.find("bell", opened)
    #expect(try session.shown("rings") == ["alarm"])
  }

  @Test func `acts once after a stop in which it was due several times, and goes on where it would have been`()
    async throws
  {
    let (store, stored) = try Self.host()
    let opened = try await stored.open("bell")
    try opened.session.arm(60)
    #expect(await opened.session.stored() == nil)
    // The process is killed, and the next one begins nearly five hours later.
    let again = try StoredHost(MemorySessions(sharing: store), bell: ManualClock(), startingAhead: .seconds(17_000))
    try await again.tend()
    #expect(again.host.count == 0)
    #expect(try Self.record(store).wakesAt == 1_700_018_000_000)
    let session = try await again.find("bell", opened)
    #expect(try session.shown("ticks") == 1)
    #expect(try session.shown("rings") == ["alarm"])
  }

  @Test func `whose effect was not stored acts again, and leaves nothing of the first time`() async throws {
    let store = HeldStore()
    var batches = store.commits.stream.makeAsyncIterator()
    let stored = try StoredHost(store, bell: ManualClock())
    let opened = try stored.host.open("bell", as: nil)
    _ = try stored.host.find("bell", opened.session.id, as: opened.newKey.map { Credential(hashing: $0) })
    for step in 0..<2 {
      if step == 0 { _ = opened.session.enter { $0.version } } else { try opened.session.arm(60) }
      let (changes, answer) = try #require(await batches.next())
      store.memory.commit(changes, survivesPowerCut: false, then: answer)
      #expect(await opened.session.stored() == nil)
    }
    stored.clock.advance(by: .seconds(60))
    stored.host.expire()
    await opened.session.settled()
    // The timer has acted, and the process is killed before that is stored.
    let lost = try #require(await batches.next())
    #expect(lost.changes.count == 1)
    let again = try StoredHost(
      MemorySessions(sharing: store.memory), bell: ManualClock(), startingAhead: .seconds(61))
    try await again.tend()
    let session = try await again.find("bell", opened)
    #expect(try session.shown("rings") == ["alarm"])
    // The store refuses the late change of the killed process.
    store.memory.commit(lost.changes, survivesPowerCut: false) { #expect($0 == [.fenced]) }
  }

  @Test func `of a session that two servers have is done by one, whichever claims it last`() async throws {
    let (store, first) = try Self.host()
    let opened = try await first.open("bell")
    try opened.session.arm(60)
    #expect(await opened.session.stored() == nil)
    let second = try StoredHost(MemorySessions(sharing: store), bell: first.clock)
    first.clock.advance(by: .seconds(61))
    async let one: Void = first.tend()
    async let other: Void = second.tend()
    _ = try await (one, other)
    try await first.tend()
    try await second.tend()
    let session = try await second.find("bell", opened)
    #expect(try session.shown("rings") == ["alarm"])
    #expect(try Self.record(store).revision == 2)
  }

  @Test func `that throws changes nothing, is in the log, and is not tried again`() async throws {
    let (_, stored) = try Self.host()
    let opened = try await stored.open("bell")
    _ = try opened.session.now { try $0.perform(["spoil"], 5, since: nil, ifMatch: nil) }
    for _ in 0..<2 {
      stored.clock.advance(by: .seconds(5))
      try await stored.tend()
    }
    #expect(try opened.session.shown("rings") == [])
    #expect(
      stored.reports.withLock { $0 } == [.timerFailed("wake 'bad'", model: "bell", reason: "Failure: Failure()")])
  }

  @Test func `acts in a session that is in memory alone too`() async throws {
    let clock = ManualClock()
    let begin = clock.now
    let host = SessionHost(
      [.hosting { Bell($0) }], configuration: .unhurried, now: { clock.now },
      wallClock: { Int64((clock.now - begin) / .milliseconds(1)) })
    let opened = try host.open("bell", as: nil)
    try opened.session.arm(60)
    clock.advance(by: .seconds(60))
    host.expire()
    await opened.session.settled()
    #expect(try opened.session.shown("rings") == ["alarm"])
  }

  @Test func `keeps a session that nobody uses, until it has acted`() async throws {
    let (store, stored) = try Self.host()
    let opened = try await stored.open("bell")
    try opened.session.arm(30_000)
    #expect(await opened.session.stored() == nil)
    // Without the timer, the store would keep the session for 7,200 s and twice the idle time.
    for _ in 0..<40 {
      stored.clock.advance(by: .seconds(700))
      try await stored.tend()
    }
    #expect(store.count().living == 1)
    stored.clock.advance(by: .seconds(2_100))
    try await stored.tend()
    #expect(try Self.record(store).revision > 1)
    // The alarm counts as a use of the session, and the hourly timer does not.
    stored.clock.advance(by: .seconds(7_000))
    try await stored.tend()
    #expect(store.count().living == 1)
    for _ in 0..<8 {
      stored.clock.advance(by: .seconds(700))
      try await stored.tend()
    }
    #expect(store.count() == StoreCount())
    #expect(stored.host.count == 0)
  }

  @Test func `of a session that no request has found is forgotten with it`() async throws {
    let (store, stored) = try Self.host()
    let opened = try stored.host.open("bell", as: nil)
    _ = opened.session.enter { $0.version }
    #expect(await opened.session.stored() == nil)
    #expect(store.count().living == 1)
    #expect(store.due(by: .max, after: nil, limit: 10) == [])
  }

  private static func host() throws -> (MemorySessions, StoredHost) {
    let store = MemorySessions()
    return (store, try StoredHost(store, bell: ManualClock()))
  }

  /// The one session that is in the store.
  private static func record(_ store: MemorySessions) throws -> SessionRecord {
    let id = try #require(store.list(after: nil, limit: 1).first?.id)
    guard case .living(let record)? = store.read(id) else { throw SessionError.expired }
    return record
  }
}

extension StoredHost {
  fileprivate func find(_ name: String, _ opened: SessionHost.Opened) async throws -> Session {
    guard case .session(let session) = try await find(opened.session.id, as: opened.newKey, in: name) else {
      throw SessionError.expired
    }
    return session
  }
}

extension MemorySessions {
  /// The stored session, read without a claim.
  fileprivate func read(_ id: String) -> StoredSession? {
    guard let summary = list(after: nil, limit: .max).first(where: { $0.id == id }) else { return nil }
    return stored(of: summary.owner).first { $0.id == id }
  }
}
