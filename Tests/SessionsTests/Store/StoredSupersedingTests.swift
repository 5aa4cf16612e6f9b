// SPDX-License-Identifier: MIT
import Testing
import ViewModels

@testable import Sessions

@Suite(.timeLimit(.minutes(5))) struct `A session in the store alone` {
  private let memory = MemorySessions()

  private func host(_ memory: MemorySessions, clock: ManualClock = ManualClock()) throws -> StoredHost {
    try StoredHost(memory, clock: clock) { configuration in
      configuration.maxSessionsPerClient = 2
      configuration.idleTime = .seconds(60)
      configuration.openingRate = nil
    }
  }

  /// Opens a further session of a client, and waits until it is stored, and the end of each of `ended` too.
  private func open(_ stored: StoredHost, as key: String, _ ended: Session...) async throws -> Session {
    let owner = Credential(hashing: key)
    if !stored.host.knowsAll(of: owner) {
      let failure = await withCheckedContinuation { done in
        stored.host.fetch(.clients([owner])) { done.resume(returning: $0.failure) }
      }
      #expect(failure == nil)
    }
    let session = try stored.host.open("note", as: owner, hasFetched: true).session
    _ = try stored.host.find("note", session.id, as: owner)
    _ = session.enter { $0.version }
    #expect(await session.stored() == nil)
    for each in ended { #expect(await each.stored() == nil) }
    try await stored.swept()
    return session
  }

  @Test func `ends for a newer one, the longest unused first, and is told as ended in another process too`()
    async throws
  {
    let clock = ManualClock()
    let first = try host(memory, clock: clock)
    let opened = try await first.open()
    let key = try #require(opened.newKey)
    clock.advance(by: .seconds(10))
    let second = try await open(first, as: key)
    // The first session is used after the second.
    clock.advance(by: .seconds(10))
    _ = try opened.session.now { try $0.rename("used") }
    #expect(await opened.session.stored() == nil)

    let later = try host(MemorySessions(sharing: memory), clock: clock)
    let third = try await open(later, as: key)
    #expect(memory.count() == StoreCount(living: 2, closed: 1))
    let other = try host(MemorySessions(sharing: memory), clock: clock)
    for host in [later, other] {
      #expect(`A host`.isFound(try await host.find(second.id, as: key)) == "superseded")
      #expect(`A host`.isFound(try await host.find(opened.session.id, as: key)) == "session")
      #expect(`A host`.isFound(try await host.find(third.id, as: key)) == "session")
    }
  }

  @Test func `ends before one that is in memory`() async throws {
    let stored = try host(memory)
    let opened = try await stored.open()
    let key = try #require(opened.newKey)
    stored.clock.advance(by: .seconds(61))
    stored.host.expire()
    #expect(await opened.session.stored() == nil)
    await stored.host.drained()
    #expect(stored.host.count == 0)
    let second = try await open(stored, as: key)
    _ = try await open(stored, as: key)
    #expect(`A host`.isFound(try await stored.find(opened.session.id, as: key)) == "superseded")
    #expect(`A host`.isFound(try await stored.find(second.id, as: key)) == "session")
    #expect(stored.host.count == 2)
  }

  @Test func `stays before one in memory that nobody has used for longer`() async throws {
    let clock = ManualClock()
    let first = try host(memory, clock: clock)
    // This is another server of the same store.
    let other = try host(MemorySessions(sharing: memory), clock: clock)
    let opened = try await first.open()
    let key = try #require(opened.newKey)
    clock.advance(by: .seconds(10))
    let second = try await open(other, as: key)
    clock.advance(by: .seconds(10))
    first.host.expire()
    await withCheckedContinuation { done in
      first.host.fetch(.clients([Credential(hashing: key)])) { _ in done.resume() }
    }
    _ = try await open(first, as: key, opened.session)
    #expect(`A host`.isFound(try await first.find(opened.session.id, as: key)) == "superseded")
    #expect(`A host`.isFound(try await first.find(second.id, as: key)) == "session")
  }

  @Test func `stays if it is in memory again before it is ended`() async throws {
    let stored = try host(memory)
    let opened = try await stored.open()
    stored.host.end(SessionTable.Superseded(stored: [opened.session.id]))
    try await stored.swept()
    #expect(`A host`.isFound(try await stored.find(opened.session.id, as: opened.newKey)) == "session")
  }

  @Test func `ends there if it has left memory before it is ended`() async throws {
    let stored = try host(memory)
    let opened = try await stored.open()
    stored.clock.advance(by: .seconds(61))
    stored.host.expire()
    #expect(await opened.session.stored() == nil)
    await stored.host.drained()
    stored.host.end(SessionTable.Superseded(inMemory: [opened.session]))
    try await stored.swept()
    #expect(`A host`.isFound(try await stored.find(opened.session.id, as: opened.newKey)) == "superseded")
    #expect(memory.count() == StoreCount(closed: 1))
  }

  @Test func `that is in memory is told as ended when that is stored`() async throws {
    let store = HeldStore()
    let stored = try StoredHost(store) { $0.maxSessionsPerClient = 1 }
    var batches = store.commits.stream.makeAsyncIterator()
    let opened = try stored.host.open("note", as: nil)
    let owner = try #require(credential(opened.newKey))
    _ = opened.session.enter { $0.version }
    let opening = try #require(await batches.next())
    store.memory.commit(opening.changes, survivesPowerCut: false, then: opening.answer)
    #expect(await opened.session.stored() == nil)
    _ = try stored.host.open("note", as: owner)
    // Until its end is stored, the client's requests wait in the session.
    #expect(`A host`.isFound(try stored.host.find("note", opened.session.id, as: owner)) == "session")
    guard case .held = opened.session.enter({ $0.isClosed }) else {
      Issue.record("a session's end is told before it is stored")
      return
    }
    let ending = try #require(await batches.next())
    store.memory.commit(ending.changes, survivesPowerCut: false, then: ending.answer)
    #expect(await opened.session.stored() == nil)
    #expect(`A host`.isFound(try stored.host.find("note", opened.session.id, as: owner)) == "superseded")
  }

  @Test func `makes room for one more where there is none, and for no second one before its end is stored`()
    async throws
  {
    let store = HeldStore()
    let stored = try StoredHost(store) { configuration in
      configuration.maxSessions = 1
      configuration.openingRate = nil
    }
    var batches = store.commits.stream.makeAsyncIterator()
    let opened = try stored.host.open("note", as: nil)
    let owner = try #require(credential(opened.newKey))
    _ = opened.session.enter { $0.version }
    let opening = try #require(await batches.next())
    store.memory.commit(opening.changes, survivesPowerCut: false, then: opening.answer)
    #expect(await opened.session.stored() == nil)
    _ = try stored.host.open("note", as: owner)
    #expect(throws: SessionError.self) { _ = try stored.host.open("note", as: owner) }
    #expect(stored.host.count == 2)
  }
}
