// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import StoreRules
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

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

/// A host on a store that may have so many pages, with sessions of a page each. It is nearly full from seven eighths on.
private struct FilledHost {
  let stored: StoredHost

  init(_ store: any SessionStore = MemorySessions(), pages: Int = 32) throws {
    stored = try StoredHost(store) { $0.maxStoreBytes = pages * StoreRoom.page }
  }

  /// Opens sessions, of which each was used some time after the one before.
  func open(_ count: Int, from network: ClientNetwork, apart pause: Duration = .seconds(1)) async throws -> [Session] {
    var opened: [Session] = []
    for _ in 0..<count {
      let session = try stored.host.open("note", as: nil, from: network).session
      session.enter { $0.version }
      #expect(await session.stored() == nil)
      stored.clock.advance(by: pause)
      opened.append(session)
    }
    return opened
  }

  /// Has the host look at the store a second later, and waits for what follows.
  func look() async throws {
    stored.clock.advance(by: .seconds(1))
    stored.host.expire()
    for _ in 0..<2 { try await stored.swept() }
    await stored.host.drained()
  }

  func isOpen(_ session: Session) -> Bool { stored.host.table.has(session.id) }

  func isRefused(_ body: () throws -> Void) -> Bool {
    do { try body() } catch { if case SessionError.tooMuchStored = error { return true } }
    return false
  }
}

@Suite(.timeLimit(.minutes(30))) struct `Room in the store` {
  private let many = ClientNetwork.version4(1)
  private let few = ClientNetwork.version4(2)

  @Test func `is made by the network that has most, which gets no more while others do`() async throws {
    let filled = try FilledHost()
    let stored = filled.stored
    let (ofMany, ofFew) = (try await filled.open(27, from: many), try await filled.open(2, from: few))
    try await filled.look()
    #expect(ofMany.indices.filter { !filled.isOpen(ofMany[$0]) } == [0] && ofFew.allSatisfy(filled.isOpen))
    #expect(stored.host.storeBytes == 29 * StoreRoom.page && stored.host.storeEnds == 1)
    let told = SessionReport.storeNearlyFull(bytes: 29 * StoreRoom.page, limit: 32 * StoreRoom.page, ended: 0)
    #expect(stored.reports.withLock { $0 } == [told])
    let long = String(repeating: "x", count: 5_000)
    #expect(filled.isRefused { _ = try stored.host.open("note", as: nil, from: many) })
    #expect(filled.isRefused { try ofMany[9].now { try $0.rename(long) } })
    try ofMany[9].now { try $0.rename("short") }
    _ = try stored.host.open("note", as: nil, from: few)
    try ofFew[0].now { try $0.rename(long) }
  }

  @Test func `is counted for the network that asks for a session of which none is known`() async throws {
    let shelf = MemorySessions()
    let id = try await StoredHost(shelf).open().session.id
    #expect(shelf.room(of: 1).heaviest.map(\.network) == [0])
    let next = try StoredHost(MemorySessions(sharing: shelf))
    #expect(await next.host.fetch(.session(id, for: nil), from: many).failure == nil)
    let session = try #require(next.host.table.inMemory(id))
    try session.now { try $0.rename(String(repeating: "x", count: 5_000)) }
    #expect(await session.stored() == nil)
    #expect(shelf.room(of: 1).heaviest.map(\.network) == [many.number])
  }

  @Test func `is not made of sessions in which readers wait, however many, and none of them is written`() async throws {
    let memory = MemorySessions()
    // A look ends four sessions.
    let filled = try FilledHost(memory, pages: 256)
    let busy = try await filled.open(12, from: many, apart: .zero)
    filled.stored.clock.advance(by: .seconds(1))
    let others = try await filled.open(213, from: many, apart: .zero)
    let answers = Answers()
    for (number, session) in busy.enumerated() {
      _ = try session.now { $0.poll(since: $0.version, waiter: answers.waiter(number)) }
    }
    func numbers() -> [UInt64?] { memory.shelf.withLock { shelf in busy.map { shelf.rows[$0.id]?.number } } }
    // Without a request, which would be a use.
    func uses() -> [ContinuousClock.Instant] {
      let uses = Locked<[ContinuousClock.Instant]>([])
      for session in busy { session.submit { isolated in uses.withLock { $0.append(isolated.life.lastUsed) } } }
      return uses.withLock { $0 }
    }
    let (stored, used) = (numbers(), uses())
    #expect(used.count == busy.count)
    for look in 1...4 {
      try await filled.look()
      #expect(filled.stored.host.storeEnds == (look == 4 ? 4 : 0))
    }
    #expect(busy.allSatisfy(filled.isOpen) && answers.all == [])
    #expect(others.filter { !filled.isOpen($0) }.count == 4)
    #expect(numbers() == stored)
    #expect(uses() == used)
  }

  @Test func `is given back by a session that is in the store alone, whose client finds it gone`() async throws {
    let filled = try FilledHost()
    let stored = filled.stored
    let opened = try stored.host.open("note", as: nil, from: many)
    opened.session.enter { $0.version }
    _ = try stored.host.find("note", opened.session.id, as: opened.credential)
    opened.session.submit { $0.leaveWhenStored(evenIfUsed: true) }
    #expect(await opened.session.stored() == nil)
    await stored.host.drained()
    #expect(!filled.isOpen(opened.session))
    _ = try await filled.open(28, from: many)
    try await filled.look()
    #expect(try await stored.find(opened.session.id, as: opened.newKey).text == "none")
  }

  /// A store in memory that cannot end sessions for a time.
  private final class KeepingStore: BackedStore {
    let memory = MemorySessions()
    let keeps = Locked(true)
    func makeRoom(_ step: RoomStep, isInMemory: (String) -> Bool) throws(StoreError) -> RoomMade {
      if keeps.withLock({ $0 }) { throw StoreError(.unavailable, "a lock was not granted") }
      return memory.makeRoom(step, isInMemory: isInMemory)
    }
  }

  @Test func `is known, and newcomers are refused, also where no session can end`() async throws {
    let store = KeepingStore()
    let filled = try FilledHost(store)
    let stored = filled.stored
    let opened = try await filled.open(29, from: many)
    for _ in 0..<3 { try await filled.look() }
    #expect(stored.host.storeBytes == 29 * StoreRoom.page)
    #expect(filled.isRefused { _ = try stored.host.open("note", as: nil, from: many) })
    // The operator is told once a minute, and the server goes on.
    #expect(!stored.host.isStoreFailing)
    let told: [SessionReport] = [
      .storeNearlyFull(bytes: 29 * StoreRoom.page, limit: 32 * StoreRoom.page, ended: 0),
      .roomNotMade(reason: "a lock was not granted"),
    ]
    #expect(stored.reports.withLock { $0 } == told)
    store.keeps.withLock { $0 = false }
    try await filled.look()
    #expect(opened.indices.filter { !filled.isOpen(opened[$0]) } == [0])
  }

  /// A store in memory that counts the looks at its room.
  private final class CountingStore: BackedStore {
    let memory = MemorySessions()
    let looks = Locked(0)
    func room(of limit: Int) -> StoreRoom {
      looks.withLock { $0 += 1 }
      return memory.room(of: limit)
    }
  }

  @Test func `is looked at once a second, however often the host does what is due`() async throws {
    let store = CountingStore()
    let stored = try FilledHost(store).stored
    for _ in 0..<25 {
      stored.host.expire()
      try await stored.swept()
      stored.clock.advance(by: .milliseconds(100))
    }
    #expect(store.looks.withLock { $0 } == 3)
  }
}
