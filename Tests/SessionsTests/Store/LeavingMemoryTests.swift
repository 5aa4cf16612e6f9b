// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import StoreRules
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

/// Stored sessions that leave memory, come back, and are forgotten at last.
@Suite(.timeLimit(.minutes(30))) struct `A stored session that nobody uses` {
  private let memory = MemorySessions()

  private func host(startingAhead: Duration = .zero, on memory: MemorySessions) throws -> StoredHost {
    try StoredHost(memory, startingAhead: startingAhead) { configuration in
      configuration.idleTime = .seconds(60)
      configuration.storedTime = .seconds(600)
    }
  }

  /// Has a reader wait in the session.
  private func wait(in session: Session) throws {
    _ = try session.now { $0.poll(since: $0.version, waiter: Answers().waiter(1)) }
  }

  @Test func `leaves memory after the idle time and comes back, and stays if a reader waits in it`() async throws {
    let stored = try host(on: memory)
    let idle = try await stored.open()
    try wait(in: try await stored.open().session)
    try idle.session.now { try $0.rename("kept") }
    #expect(await idle.session.stored() == nil)
    try await stored.pass(59, by: 59)
    #expect(stored.host.count == 2)
    try await stored.pass(2, by: 2)
    #expect(stored.host.count == 1)
    #expect(idle.session.enter { _ in }.hasLeft)
    let again = try await stored.living(idle.session.id, as: idle.newKey)
    #expect(try again.now { try $0.title } == "kept")
    #expect(stored.host.count == 2)
  }

  @Test(arguments: [false, true])
  func `stays if it is used while it is stored for the last time, and else comes back`(isUsed: Bool) async throws {
    let store = HeldStore()
    let stored = try StoredHost(store) { $0.idleTime = .seconds(60) }
    let opened = try await store.open(in: stored, isFound: true)
    stored.clock.advance(by: .seconds(1))
    opened.session.enter { $0.touch(stored.clock.now) }
    stored.clock.advance(by: .seconds(62))
    stored.host.expire()
    // The session's last use is on its way to the store. Afterwards the session is to leave memory.
    let leaving = try await store.next()
    if isUsed {
      opened.session.enter { session in
        session.touch(stored.clock.now)
        try? session.rename("late")
      }
    }
    store.letThrough(leaving)
    if isUsed { try await store.letThrough() }
    #expect(await opened.session.stored() == nil)
    await stored.host.drained()
    #expect(stored.host.count == (isUsed ? 1 : 0))
    let again = try await stored.living(opened.session.id, as: opened.newKey)
    #expect((again === opened.session) == isUsed)
    #expect(try again.now { try $0.title } == (isUsed ? "late" : ""))
  }

  @Test func `is forgotten after long, and one that is used is not`() async throws {
    let stored = try host(on: memory)
    let (unused, used) = (try await stored.open(), try await stored.open())
    for _ in 0..<20 {
      stored.clock.advance(by: .seconds(20))
      used.session.submit { $0.touch(stored.clock.now) }
      try await stored.pass(20, by: 20)
    }
    #expect(memory.count() == StoreCount(living: 1))
    #expect(stored.reports.withLock { $0 } == [.forgotten(sessions: 1)])
    let later = try StoredHost(MemorySessions(sharing: memory))
    #expect(try await later.find(unused.session.id, as: unused.newKey).text == "none")
    #expect(try await later.find(used.session.id, as: used.newKey).text == "session")
  }

  @Test func `is not forgotten for a wall clock that is set forward, until it was unused since`() async throws {
    let stored = try host(on: memory)
    _ = try await stored.open()
    let waited = try await stored.open().session
    try wait(in: waited)
    try await stored.pass(80, by: 10)
    #expect(stored.host.count == 1)
    stored.ahead.withLock { $0 = .seconds(86_400) }
    try await stored.pass(700, by: 10)
    #expect(memory.count() == StoreCount(living: 2))
    let leap = SessionReport.clockLeapt(by: .seconds(86_400), isAtStart: false, rest: .seconds(720))
    #expect(stored.reports.withLock { $0 } == [leap])
    try await stored.pass(50, by: 10)
    // The session in memory stays, though only a poll has used it for as long.
    #expect(memory.count() == StoreCount(living: 1))
    #expect(stored.reports.withLock { $0.last } == .forgotten(sessions: 1))
    #expect(stored.host.count == 1)
    try waited.now { try $0.rename("kept") }
    #expect(await waited.stored() == nil)
  }

  @Test
  func `is kept by a process that begins with its clock set forward, as long as sessions are kept`() async throws {
    let opened = try await StoredHost(memory).open()
    let later = try host(startingAhead: .seconds(86_400), on: MemorySessions(sharing: memory))
    try await later.pass(770, by: 10)
    #expect(memory.count() == StoreCount(living: 1))
    let leap = SessionReport.clockLeapt(by: .seconds(86_400), isAtStart: true, rest: .seconds(720))
    #expect(later.reports.withLock { $0 } == [leap])
    #expect(try await later.find(opened.session.id, as: opened.newKey).text == "session")
    try await later.pass(2_000, by: 10)
    #expect(later.host.count == 0)
    #expect(memory.count() == StoreCount())
  }

  @Test func `is kept for a day by a process that begins days later, if it was little used`() async throws {
    _ = try await StoredHost(memory).open()
    let later = try StoredHost(MemorySessions(sharing: memory), startingAhead: .seconds(2 * 86_400)) {
      $0.idleTime = .seconds(60)
    }
    try await later.pass(600, by: 10)
    #expect(memory.count() == StoreCount(living: 1))
    try await later.pass(86_400, by: 600)
    #expect(memory.count() == StoreCount())
  }

  @Test func `is not read once more while it is in memory`() async throws {
    let stored = try host(on: memory)
    let opened = try await stored.open()
    #expect(await stored.fetch(.session(opened.session.id, for: nil)) == nil)
    try opened.session.now { try $0.rename("x") }
    #expect(await opened.session.stored() == nil)
    #expect(try await stored.living(opened.session.id, as: opened.newKey) === opened.session)
  }
}
