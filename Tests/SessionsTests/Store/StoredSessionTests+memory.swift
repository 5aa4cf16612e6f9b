// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Testing
import ViewModels

@testable import Sessions

/// Sessions that leave memory, come back, and are forgotten at last.
extension StoredSessionTests {
  @Test func `an idle session leaves memory and comes back; one that is waited in, or at work, stays`() async throws {
    let stored = try StoredHost(MemorySessions()) { $0.idleTime = .seconds(60) }
    let idle = try await stored.open()
    let waited = try await stored.open()
    _ = try idle.session.now { try $0.rename("kept") }
    let version = try waited.session.now { $0.version }
    _ = try waited.session.now { $0.poll(since: version, waiter: Answers().waiter(1)) }
    #expect(await idle.session.stored() == nil)
    stored.clock.advance(by: .seconds(59))
    stored.host.expire()
    #expect(stored.host.count == 2)
    stored.clock.advance(by: .seconds(2))
    stored.host.expire()
    // The session leaves on another thread, when its last use is stored.
    #expect(await idle.session.stored() == nil)
    await stored.host.drained()
    #expect(stored.host.count == 1)
    if case .left = idle.session.enter({ _ in }) {} else { Issue.record("a session that has left is entered") }
    let again = try await stored.living(idle.session.id, as: idle.newKey)
    #expect(try again.now { try $0.title } == "kept")
    #expect(stored.host.count == 2)
  }

  @Test(arguments: [false, true])
  func `a session that is used while it is stored for the last time stays, and one that is not comes back`(
    isUsed: Bool
  ) async throws {
    let store = HeldStore()
    let stored = try StoredHost(store) { $0.idleTime = .seconds(60) }
    var batches = store.commits.stream.makeAsyncIterator()
    let opened = try stored.host.open("note", as: nil)
    _ = try stored.host.find("note", opened.session.id, as: credential(opened.newKey))
    _ = opened.session.enter { $0.version }
    let opening = try #require(await batches.next())
    store.memory.commit(opening.changes, survivesPowerCut: false, then: opening.answer)
    #expect(await opened.session.stored() == nil)
    stored.clock.advance(by: .seconds(1))
    _ = opened.session.enter { $0.touch(stored.clock.now) }
    stored.clock.advance(by: .seconds(62))
    stored.host.expire()
    // The session's last use is on its way to the store. Afterwards the session is to leave memory.
    let leaving = try #require(await batches.next())
    if isUsed {
      _ = opened.session.enter { session in
        session.touch(stored.clock.now)
        try? session.rename("late")
      }
    }
    store.memory.commit(leaving.changes, survivesPowerCut: false, then: leaving.answer)
    if isUsed {
      let late = try #require(await batches.next())
      store.memory.commit(late.changes, survivesPowerCut: false, then: late.answer)
    }
    #expect(await opened.session.stored() == nil)
    await stored.host.drained()
    #expect(stored.host.count == (isUsed ? 1 : 0))
    let again = try await stored.living(opened.session.id, as: opened.newKey)
    #expect((again === opened.session) == isUsed)
    #expect(try again.now { try $0.title } == (isUsed ? "late" : ""))
  }

  @Test func `a turn is stored to its end, though what was done in it was the last to hold the session`() async throws {
    let store = HeldStore()
    let stored = try StoredHost(store)
    var session: Session? = Session(
      id: "last", modelName: "note", owner: Credential(hashing: "x"), opening: nil, epoch: "epoch",
      model: try HostedModelType.hosting { Note() }.make(for: "a session"), services: stored.host.services,
      counts: try #require(stored.host.types["note"]).counts,
      keeping: Session.Keeping(
        try #require(stored.host.keeper), SessionClaim(boot: 1, number: 1), .relaxed, schema: 1, isNew: true),
      nextCheck: stored.clock.now)
    let executor = try #require(session).executor
    let told = AsyncStream.makeStream(of: String.self)
    let last = Locked(session)
    session = nil
    executor.submit {
      // The job that is submitted here runs later in this turn. Nothing else holds the session then.
      last.withLock { $0 }?.submit({ (try? $0.rename("kept")) != nil }) { told.continuation.yield("\($0)") }
      last.withLock { $0 = nil }
    }
    var batches = store.commits.stream.makeAsyncIterator()
    let batch = try #require(await batches.next())
    store.memory.commit(batch.changes, survivesPowerCut: false, then: batch.answer)
    var answers = told.stream.makeAsyncIterator()
    #expect(await answers.next() == "success(true)")
    #expect(store.memory.count() == StoreCount(living: 1))
  }

  @Test func `a stored session that nobody uses for long is forgotten, and one that is used is not`() async throws {
    let memory = MemorySessions()
    let stored = try StoredHost(memory) { configuration in
      configuration.idleTime = .seconds(60)
      configuration.storedTime = .seconds(600)
    }
    let unused = try await stored.open()
    let used = try await stored.open()
    for _ in 0..<20 {
      stored.clock.advance(by: .seconds(40))
      used.session.submit { $0.touch(stored.clock.now) }
      stored.host.expire()
      #expect(await used.session.stored() == nil)
      await stored.host.drained()
    }
    try await stored.swept()
    #expect(memory.count() == StoreCount(living: 1))
    #expect(stored.reports.withLock { $0 } == [.forgotten(sessions: 1)])
    let later = try StoredHost(MemorySessions(sharing: memory))
    if case .none = try await later.find(unused.session.id, as: unused.newKey) {} else { Issue.record("not forgotten") }
    if case .session = try await later.find(used.session.id, as: used.newKey) {} else { Issue.record("forgotten") }
  }

  @Test func `a wall clock that is set forward forgets no session, in memory or not, until it was unused since`()
    async throws
  {
    let memory = MemorySessions()
    let stored = try StoredHost(memory) { configuration in
      configuration.idleTime = .seconds(60)
      configuration.storedTime = .seconds(600)
    }
    let away = try await stored.open()
    let waited = try await stored.open()
    let version = try waited.session.now { $0.version }
    _ = try waited.session.now { $0.poll(since: version, waiter: Answers().waiter(1)) }
    /// Lets these seconds pass, ten at a time.
    func pass(_ seconds: Int) async throws {
      for _ in 0..<seconds / 10 {
        stored.clock.advance(by: .seconds(10))
        stored.host.expire()
        try await stored.swept()
      }
    }
    try await pass(80)
    #expect(await away.session.stored() == nil)
    await stored.host.drained()
    #expect(stored.host.count == 1)
    stored.ahead.withLock { $0 = .seconds(86_400) }
    try await pass(700)
    #expect(memory.count() == StoreCount(living: 2))
    #expect(
      stored.reports.withLock { $0 } == [
        .clockLeapt(by: .seconds(86_400), isAtStart: false, rest: .seconds(720))
      ])
    try await pass(50)
    // The session in memory stays, though only a poll has used it for as long.
    #expect(memory.count() == StoreCount(living: 1))
    #expect(stored.reports.withLock { $0.last } == .forgotten(sessions: 1))
    #expect(stored.host.count == 1)
    _ = try waited.session.now { try $0.rename("kept") }
    #expect(await waited.session.stored() == nil)
  }

  @Test func `a process that begins with its wall clock set forward forgets nothing for as long as sessions are kept`()
    async throws
  {
    let memory = MemorySessions()
    let opened = try await StoredHost(memory).open()
    let clock = ManualClock()
    let later = try StoredHost(
      MemorySessions(sharing: memory), clock: clock, startingAhead: .seconds(86_400)
    ) { configuration in
      configuration.idleTime = .seconds(60)
      configuration.storedTime = .seconds(600)
    }
    for _ in 0..<77 {
      clock.advance(by: .seconds(10))
      later.host.expire()
      try await later.swept()
    }
    #expect(memory.count() == StoreCount(living: 1))
    #expect(
      later.reports.withLock { $0 } == [
        .clockLeapt(by: .seconds(86_400), isAtStart: true, rest: .seconds(720))
      ])
    if case .session = try await later.find(opened.session.id, as: opened.newKey) {} else { Issue.record("forgotten") }
    for _ in 0..<200 {
      clock.advance(by: .seconds(10))
      later.host.expire()
      try await later.swept()
    }
    #expect(later.host.count == 0)
    #expect(memory.count() == StoreCount())
  }

  @Test func `a session that is in memory is not read once more, whoever asks late`() async throws {
    let stored = try StoredHost(MemorySessions())
    let opened = try await stored.open()
    let failure = await withCheckedContinuation { done in
      stored.host.fetch(.session(opened.session.id, for: nil)) { done.resume(returning: $0.failure) }
    }
    #expect(failure == nil)
    _ = try opened.session.now { try $0.rename("x") }
    #expect(await opened.session.stored() == nil)
    #expect(try await stored.living(opened.session.id, as: opened.newKey) === opened.session)
  }
}
