// SPDX-License-Identifier: MIT
import StoreRules
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `A session in the store alone` {
  private let memory = MemorySessions()
  private let clock = ManualClock()

  /// A server on the store.
  private func server(_ most: Int = 2) throws -> StoredHost {
    try StoredHost(MemorySessions(sharing: memory), clock: clock) { configuration in
      configuration.maxSessionsPerClient = most
      configuration.idleTime = .seconds(60)
    }
  }

  /// Opens a further session of a client, and waits until it is stored, and the end of `ended` too.
  private func open(_ stored: StoredHost, as key: String?, ending ended: Session? = nil) async throws -> Session {
    let session = try await stored.open(as: key).session
    if let ended { #expect(await ended.stored() == nil) }
    try await stored.swept()
    return session
  }

  @Test func `ends for a newer one, the longest unused first, and is told so in another process too`() async throws {
    let first = try server()
    let opened = try await first.open()
    let key = opened.newKey
    clock.advance(by: .seconds(10))
    let second = try await open(first, as: key)
    // The first session is used after the second.
    clock.advance(by: .seconds(10))
    try opened.session.now { try $0.rename("used") }
    #expect(await opened.session.stored() == nil)

    let later = try server()
    let third = try await open(later, as: key)
    #expect(memory.count() == StoreCount(living: 2, closed: 1))
    for host in [later, try server()] {
      #expect(try await host.find(second.id, as: key).text == "superseded")
      #expect(try await host.find(opened.session.id, as: key).text == "session")
      #expect(try await host.find(third.id, as: key).text == "session")
    }
  }

  @Test func `ends before one that is in memory`() async throws {
    let stored = try server()
    let opened = try await stored.open()
    try await stored.rest()
    #expect(stored.host.count == 0)
    let second = try await open(stored, as: opened.newKey)
    _ = try await open(stored, as: opened.newKey)
    #expect(try await stored.find(opened.session.id, as: opened.newKey).text == "superseded")
    #expect(try await stored.find(second.id, as: opened.newKey).text == "session")
    #expect(stored.host.count == 2)
  }

  @Test func `stays before one in memory that nobody has used for longer`() async throws {
    let (first, other) = (try server(), try server())
    let opened = try await first.open()
    clock.advance(by: .seconds(10))
    let second = try await open(other, as: opened.newKey)
    clock.advance(by: .seconds(10))
    first.host.expire()
    _ = await first.fetch(.clients([try #require(opened.credential)]))
    _ = try await open(first, as: opened.newKey, ending: opened.session)
    #expect(try await first.find(opened.session.id, as: opened.newKey).text == "superseded")
    #expect(try await first.find(second.id, as: opened.newKey).text == "session")
  }

  @Test func `is chosen alike by all servers where several sessions are opened at the same time`() async throws {
    let servers = [try server(4), try server(4), try server(4)]
    let opened = try await servers[0].open()
    let client = try #require(opened.credential)
    /// Opens some sessions at each server, which knows those of the others by its last look.
    func openAtEach(_ count: Int) async throws {
      for server in servers { _ = await server.fetch(.clients([client])) }
      for server in servers { for _ in 0..<count { _ = try await open(server, as: opened.newKey) } }
    }
    try await openAtEach(2)
    // Each knows seven by now, and has four of them end.
    try await openAtEach(1)
    #expect(memory.count() == StoreCount(living: 6, closed: 4))
    // With the next opening there are no more than there may be.
    _ = await servers[0].fetch(.clients([client]))
    _ = try await open(servers[0], as: opened.newKey)
    #expect(memory.count() == StoreCount(living: 4, closed: 7))
  }

  @Test func `stays if it is in memory again before it is ended`() async throws {
    let stored = try server()
    let opened = try await stored.open()
    stored.host.end(SessionTable.Superseded(stored: [opened.session.id]))
    try await stored.swept()
    #expect(try await stored.find(opened.session.id, as: opened.newKey).text == "session")
  }

  @Test func `ends there if it has left memory before it is ended`() async throws {
    let stored = try server()
    let opened = try await stored.open()
    try await stored.rest()
    stored.host.end(SessionTable.Superseded(inMemory: [opened.session]))
    try await stored.swept()
    #expect(try await stored.find(opened.session.id, as: opened.newKey).text == "superseded")
    #expect(memory.count() == StoreCount(closed: 1))
  }

  @Test func `ends after one that its client has left, though that was used later`() async throws {
    let stored = try server(3)
    let idle = try await stored.open()
    let key = idle.newKey
    let left = try await open(stored, as: key)
    try left.now { stored.host.leave($0) }
    // A session that is left leaves memory sooner than others.
    try await stored.pass(31)
    #expect(stored.host.count == 1)
    let third = try await open(stored, as: key)
    third.submit { $0.touch(clock.now) }
    try await stored.pass(31)
    #expect(stored.host.count == 1)
    _ = try await open(stored, as: key)
    #expect(try await stored.find(left.id, as: key).text == "superseded")
    #expect(try await stored.find(idle.session.id, as: key).text == "session")
  }

  @Test func `that is in memory is told as ended when that is stored`() async throws {
    let store = HeldStore()
    let stored = try StoredHost(store) { $0.maxSessionsPerClient = 1 }
    let opened = try await store.open(in: stored)
    func found() throws -> String { try stored.host.find("note", opened.session.id, as: opened.credential).text }
    _ = try stored.host.open("note", as: opened.credential)
    // Until its end is stored, the client's requests wait in the session.
    #expect(try found() == "session")
    #expect(opened.session.enter { $0.isClosed }.held != nil)
    try await store.letThrough(lastOf: opened.session)
    #expect(try found() == "superseded")
  }

  @Test func `makes room for one more where there is none, and for no second before its end is stored`() async throws {
    let store = HeldStore()
    let stored = try StoredHost(store) { $0.maxSessions = 1 }
    let opened = try await store.open(in: stored)
    _ = try stored.host.open("note", as: opened.credential)
    #expect(throws: SessionError.self) { _ = try stored.host.open("note", as: opened.credential) }
    #expect(stored.host.count == 2)
  }
}
