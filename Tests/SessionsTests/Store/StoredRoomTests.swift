// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import Testing
import ViewModels

@testable import Sessions

@Suite struct `Room in memory, of sessions that are stored,` {
  /// Has the host make room, and waits until the sessions that are to leave have left.
  private func expire(_ stored: StoredHost, _ opened: [SessionHost.Opened]) async throws {
    stored.host.expire()
    for each in opened { #expect(await each.session.stored() == nil) }
    await stored.host.drained()
  }

  @Test func `is made of those that are unused for longest, which come back`() async throws {
    let stored = try StoredHost(MemorySessions()) { $0.maxSessions = 32 }
    var opened: [SessionHost.Opened] = []
    for _ in 0..<30 {
      opened.append(try await stored.open())
      stored.clock.advance(by: .seconds(1))
      stored.host.expire()
    }
    // Each session is used once more, the first one last. So the second one is unused for longest.
    for each in opened[1...] + opened[..<1] {
      _ = try await stored.living(each.session.id, as: each.newKey).now { try $0.rename("used") }
      stored.clock.advance(by: .seconds(1))
      stored.host.expire()
    }
    #expect(stored.host.count == 30)
    opened.append(try await stored.open())
    stored.clock.advance(by: .seconds(1))
    try await expire(stored, opened)
    #expect(stored.host.count == 28)
    let gone = opened.indices.filter { opened[$0].session.enter { _ in }.hasLeft }
    #expect(gone == [1, 2, 3])
    let back = try await stored.living(opened[1].session.id, as: opened[1].newKey)
    #expect(try back.now { try $0.title } == "used")
  }

  @Test func `is not made of one in which a reader waits`() async throws {
    let stored = try StoredHost(MemorySessions()) { $0.maxSessions = 16 }
    var opened: [SessionHost.Opened] = []
    for _ in 0..<16 { opened.append(try await stored.open()) }
    let answers = Answers()
    for (number, each) in opened.enumerated() where number < 15 {
      _ = try each.session.now { $0.poll(since: $0.version, waiter: answers.waiter(number)) }
    }
    stored.clock.advance(by: .seconds(1))
    // At each look, the host passes over sessions in which a reader waits.
    for _ in 0..<16 {
      try await expire(stored, opened)
      stored.clock.advance(by: .seconds(1))
    }
    #expect(opened.indices.filter { opened[$0].session.enter { _ in }.hasLeft } == [15])
    #expect(answers.all == [])
  }

  private final class Diary: ViewModel {
    @Observed var page = ""
    func write(_ text: String) { page = text }
    static let surface = Surface<Diary>("diary", .stored("page", \.$page), .action("write", Diary.write))
  }

  @Test func `is counted with a value that is stored and not shown`() async throws {
    let stored = try StoredHost(MemorySessions(), types: [.hosting { Diary() }])
    let session = try await stored.open("diary").session
    let before = stored.host.memoryBytes
    let page = JSON.string(String(repeating: "x", count: 10_000))
    _ = try session.now { try $0.perform(["write"], page, since: nil, ifMatch: nil) }
    #expect(await session.stored() == nil)
    #expect(stored.host.memoryBytes >= before + 10_000)
  }

  @Test func `takes the use of a client as one, whichever of its sessions is read first`() async throws {
    let memory = MemorySessions()
    let first = try StoredHost(memory)
    let one = try await first.open()
    let key = try #require(one.newKey)
    let other = try await first.open(as: key, isFound: false).session
    let later = try StoredHost(MemorySessions(sharing: memory))
    let (use, making) = (later.host.table.making(for: Credential(hashing: key)), one.session.owner)
    let sessions = [try await later.living(one.session.id, as: key), try await later.living(other.id, as: key)]
    later.host.table.made(for: making)
    #expect(sessions.allSatisfy { $0.use === use })
    #expect(use.bytes == later.host.memoryBytes)
  }
}

/// A store that may have 32 pages, and sessions of a page each: it is nearly full from the 29th on.
@Suite struct `Room in the store` {
  private let stored: StoredHost
  private let many = ClientNetwork.version4(1)
  private let few = ClientNetwork.version4(2)
  init() throws { stored = try StoredHost(MemorySessions()) { $0.maxStoreBytes = 32 * StoreRoom.page } }

  private func open(_ count: Int, from network: ClientNetwork) async throws -> [Session] {
    var opened: [Session] = []
    for _ in 0..<count {
      let session = try stored.host.open("note", as: nil, from: network).session
      session.enter { $0.version }
      #expect(await session.stored() == nil)
      stored.clock.advance(by: .seconds(1))
      opened.append(session)
    }
    return opened
  }

  /// Has the host look at the store, and waits for what follows.
  private func look() async throws {
    stored.host.expire()
    for _ in 0..<2 { try await stored.swept() }
    await stored.host.drained()
  }

  private func isOpen(_ session: Session) -> Bool { stored.host.table.has(session.id) }

  private func isRefused(_ body: () throws -> Void) -> Bool {
    do { try body() } catch { if case SessionError.tooMuchStored = error { return true } }
    return false
  }

  @Test func `is made by the network that has most, which gets no more while others do`() async throws {
    let (ofMany, ofFew) = (try await open(27, from: many), try await open(2, from: few))
    try await look()
    #expect(ofMany.indices.filter { !isOpen(ofMany[$0]) } == [0] && ofFew.allSatisfy(isOpen))
    #expect(stored.host.storeBytes == 29 * StoreRoom.page && stored.host.storeEnds == 1)
    let told = SessionReport.storeNearlyFull(bytes: 29 * StoreRoom.page, limit: 32 * StoreRoom.page, ended: 0)
    #expect(stored.reports.withLock { $0 } == [told])
    let long = String(repeating: "x", count: 5_000)
    #expect(isRefused { _ = try stored.host.open("note", as: nil, from: many) })
    #expect(isRefused { try ofMany[9].now { try $0.rename(long) } })
    try ofMany[9].now { try $0.rename("short") }
    _ = try stored.host.open("note", as: nil, from: few)
    try ofFew[0].now { try $0.rename(long) }
  }

  @Test func `is counted for the network that asks for a session of which none is known`() async throws {
    let shelf = MemorySessions()
    let id = try await StoredHost(shelf).open().session.id
    #expect(shelf.room(of: 1).heaviest.map(\.network) == [0])
    let next = try StoredHost(MemorySessions(sharing: shelf))
    let fetched = await withCheckedContinuation { done in
      next.host.fetch(.session(id, for: nil), from: many) { done.resume(returning: $0) }
    }
    #expect(fetched.failure == nil)
    let session = try #require(next.host.table.inMemory(id))
    try session.now { try $0.rename(String(repeating: "x", count: 5_000)) }
    #expect(await session.stored() == nil)
    #expect(shelf.room(of: 1).heaviest.map(\.network) == [many.number])
  }

  @Test func `is not made of a session in which a reader waits, but of the next one`() async throws {
    let opened = try await open(29, from: many)
    let answers = Answers()
    _ = try opened[0].now { $0.poll(since: $0.version, waiter: answers.waiter(1)) }
    try await look()
    #expect(opened.allSatisfy(isOpen))
    try await look()
    #expect(opened.indices.filter { !isOpen(opened[$0]) } == [1] && answers.all == [])
  }

  @Test func `is given back by a session that is in the store alone, whose client finds it gone`() async throws {
    let opened = try stored.host.open("note", as: nil, from: many)
    opened.session.enter { $0.version }
    _ = try stored.host.find("note", opened.session.id, as: opened.credential)
    opened.session.submit { $0.leaveWhenStored(evenIfUsed: true) }
    #expect(await opened.session.stored() == nil)
    await stored.host.drained()
    #expect(!isOpen(opened.session))
    _ = try await open(28, from: many)
    try await look()
    #expect(try await stored.find(opened.session.id, as: opened.newKey).text == "none")
  }
}
