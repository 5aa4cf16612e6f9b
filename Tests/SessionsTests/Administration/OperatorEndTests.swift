// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `An operator` {
  private let memory = MemorySessions()

  /// A host on the store. Its sessions leave memory after an idle minute.
  private func host() throws -> StoredHost {
    try StoredHost(memory, types: [.hosting { Note() }, .hosting { Pebble() }]) {
      $0.idleTime = .seconds(60)
    }
  }

  private func leave(_ stored: StoredHost) async throws {
    try await stored.rest()
    #expect(stored.host.count == 0)
  }

  @Test func `ends a session, and its readers and its owner are told so`() async throws {
    let host = SessionHost.still([.hosting { Note() }])
    let opened = try host.open("note", as: nil)
    let answers = Answers()
    _ = try opened.session.now { $0.poll(since: $0.version, waiter: answers.waiter(1)) }
    #expect(try await host.end(opened.session.id) == true)
    #expect(answers.all == ["1 failed: an operator ended the session; expected the client to open another"])
    #expect(try host.find("note", opened.session.id, as: opened.credential).text == "ended")
    #expect(host.counts.first?.counts.ended.value == 1 && host.count == 0)
    #expect(try await host.end(opened.session.id) == false)
    #expect(try await host.end("nope") == false)
  }

  @Test func `ends one in the store without making it again, for other processes too`() async throws {
    let stored = try host()
    let opened = try await stored.open()
    try await leave(stored)
    #expect(try await stored.host.end(opened.session.id) == true)
    #expect(stored.host.count == 0 && memory.count() == StoreCount(closed: 1))
    for host in [stored, try StoredHost(MemorySessions(sharing: memory))] {
      #expect(try await host.find(opened.session.id, as: opened.newKey).text == "ended")
    }
    #expect(try await stored.host.end(opened.session.id) == false)
    #expect(try await stored.host.end(String(repeating: "A", count: 22)) == false)
  }

  @Test func `ends one that is being read when that is done`() async throws {
    let stored = try host()
    let opened = try await stored.open()
    try await leave(stored)
    async let found = stored.find(opened.session.id, as: opened.newKey)
    #expect(try await stored.host.end(opened.session.id) == true)
    _ = try? await found
    await stored.host.drained()
    try await stored.swept()
    #expect(try await stored.find(opened.session.id, as: opened.newKey).text == "ended")
    #expect(memory.count() == StoreCount(closed: 1))
  }

  @Test func `ends one in the store for which a request comes meanwhile, and the request waits`() async throws {
    let before = try host()
    let opened = try await before.open()
    try await leave(before)
    let store = HeldClaims(MemorySessions(sharing: memory))
    let stored = try StoredHost(store)
    let id = opened.session.id
    store.holds.withLock { $0 = true }
    async let ended = stored.host.end(id)
    let answer = try await store.next()
    async let fetched = stored.fetch(.session(id, for: opened.credential))
    while stored.host.loading.withLock({ $0[id]?.isEmpty ?? true }) { await Task.yield() }
    store.holds.withLock { $0 = false }
    let goesOn = DispatchSemaphore(value: 0)
    @Sendable func wait() { goesOn.wait() }
    Task(executorPreference: stored.host.executor) { wait() }
    answer()
    // The store does all that it was asked for before the end goes on. A second claim would be among that.
    let committer = try #require(stored.host.keeper).committer
    for _ in 0..<3 { try await committer.withStore { _ in } }
    goesOn.signal()
    #expect(try await ended == true)
    #expect(await fetched == nil)
    #expect(stored.host.count == 0 && memory.count() == StoreCount(closed: 1))
    #expect(try await stored.find(id, as: opened.newKey).text == "ended")
  }

  @Test func `signs everybody out in the store while the code of an app holds the pool`() async throws {
    let stored = try StoredHost(memory, types: DoorClient.types)
    let client = try await DoorClient.of("7", in: stored)
    #expect(memory.client(of: client.credential) != nil)
    let goesOn = DispatchSemaphore(value: 0)
    stored.host.services.pool.run(isSlow: false) { goesOn.wait() }
    async let ended = stored.host.endAll()
    while memory.client(of: client.credential) != nil { await Task.yield() }
    goesOn.signal()
    #expect(try await ended == 1)
    #expect(stored.host.count == 0)
  }

  @Test func `ends all on a view model, in memory and in the store, and no other`() async throws {
    let stored = try host()
    for _ in 0..<3 { _ = try await stored.open() }
    let other = try await stored.open("pebble")
    try await leave(stored)
    let last = try await stored.open()
    #expect(try await stored.host.end(allOn: "note") == 4)
    #expect(await last.session.stored() == nil)
    #expect(memory.count() == StoreCount(living: 1, closed: 4))
    #expect(try await stored.find(other.session.id, as: other.newKey, in: "pebble").text == "session")
    #expect(try await stored.host.end(allOn: "note") == 0)
  }
}
