// SPDX-License-Identifier: MIT
import Locking
import Testing

@testable import Sessions

/// A store that can be out of reach, and in which another node takes sessions.
private final class SharedShelf: SharedSessionStore {
  func hosts(_ schemas: [String: UInt32]) {}

  struct State {
    var beats = 0
    var isAway = false
    var takenIDs: Set<String> = []
    var asked: [[String]] = []
    var notices: [NodeNotice] = []
  }

  let state = Locked(State())
  private let shelf: MemorySessions
  /// A closure that runs between a claim and its answer.
  let whileClaiming = Locked<@Sendable () -> Void>({})

  init(_ shelf: MemorySessions = MemorySessions()) { self.shelf = shelf }

  var isShared: Bool { true }
  var token: String? { "token" }
  func gone(_ now: ContinuousClock.Instant) -> [UInt64] { [] }

  func tell(_ notice: NodeNotice) { state.withLock { $0.notices.append(notice) } }

  func beat(_ now: ContinuousClock.Instant) throws(StoreError) -> [NodeNotice] {
    let notices = state.withLock { state -> [NodeNotice]? in
      if state.isAway { return nil }
      state.beats += 1
      defer { state.notices = [] }
      return state.notices
    }
    guard let notices else { throw StoreError(.unavailable, "it is away") }
    return notices
  }

  func taken(of ids: [String]) throws(StoreError) -> [String] {
    state.withLock { state in
      state.asked.append(ids)
      return ids.filter(state.takenIDs.contains)
    }
  }

  func open(as holder: String) throws(StoreError) -> UInt64 { shelf.open(as: holder) }
  var boot: UInt64 { shelf.boot }
  func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    shelf.claim(claims) { outcomes in
      self.whileClaiming.withLock { $0 }()
      answer(outcomes)
    }
  }
  func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) { shelf.commit(changes, survivesPowerCut: survivesPowerCut, then: answer) }
  func read(_ id: String) -> StoredSession? { shelf.read(id) }
  func sessions(of owner: Credential, then answer: @escaping @Sendable (Result<[OwnedSession], StoreError>) -> Void) {
    shelf.sessions(of: owner, then: answer)
  }
  func put(_ client: ClientRecord) throws(StoreError) { shelf.put(client) }
  func renew(_ owner: Credential, as credential: Credential, at now: Int64) {
    shelf.renew(owner, as: credential, at: now)
  }
  func endClients(at now: Int64) { shelf.endClients(at: now) }
  func client(of credential: Credential) throws(StoreError) -> ClientRecord? { shelf.client(of: credential) }
  func clients(of user: String) throws(StoreError) -> [ClientRecord] { shelf.clients(of: user) }
  func expire(now: Int64, unusedSince: Int64, limit: Int, isInMemory: (String) -> Bool) throws(StoreError) -> Expiry {
    shelf.expire(now: now, unusedSince: unusedSince, limit: limit, isInMemory: isInMemory)
  }
  func due(by time: Int64, after last: DueSession?, limit: Int) -> [DueSession] {
    shelf.due(by: time, after: last, limit: limit)
  }
  func list(after id: String?, limit: Int) throws(StoreError) -> [StoredSummary] { shelf.list(after: id, limit: limit) }
  func count() throws(StoreError) -> StoreCount { shelf.count() }
  func close() {}
}

@Suite(.timeLimit(.minutes(5))) struct `The presence of a node` {
  private final class World: Sendable {
    let store = SharedShelf()
    let now = Locked(ContinuousClock.Instant.now)
    let presence: Presence
    let dropped = Locked<[String]>([])
    let lapses = Locked(0)
    let failures = Locked<[StoreError]>([])
    let works = Locked(0)
    let heard = Locked<[NodeNotice]>([])
    let memory: [String]

    init(_ memory: [String] = []) {
      self.memory = memory
      presence = Presence(store) { [now] in now.withLock { $0 } }
    }

    func pass(_ duration: Duration) { now.withLock { $0 += duration } }

    /// Gives a sign if one is due, and returns when it is given.
    func tend() {
      presence.tend(
        inMemory: { [memory] in memory }, drop: { [dropped] ids in dropped.withLock { $0 += ids } },
        heard: { [heard] notice in heard.withLock { $0.append(notice) } },
        worked: { [works] in works.withLock { $0 += 1 } },
        failed: { [failures] error in failures.withLock { $0.append(error) } },
        lapsed: { lapses.withLock { $0 += 1 } })
      presence.settle()
    }

    var holds: Bool { presence.lease.holds(now.withLock { $0 }) }
    var beats: Int { store.state.withLock { $0.beats } }
  }

  @Test func `is said every four tenths of a second, and holds the lease for two seconds`() {
    let world = World()
    #expect(!world.holds, "nothing was said yet")
    world.tend()
    #expect(world.holds && world.beats == 1)
    world.pass(.milliseconds(399))
    world.tend()
    #expect(world.beats == 1)
    world.pass(.milliseconds(1))
    world.tend()
    #expect(world.beats == 2)
    world.pass(.milliseconds(1_999))
    #expect(world.holds)
    world.pass(.milliseconds(1))
    #expect(!world.holds)
  }

  @Test func `lapses once while the store is away, and lets who waits go on when it is back`() {
    let world = World()
    world.tend()
    world.store.state.withLock { $0.isAway = true }
    let isTold = Locked(false)
    for _ in 0..<8 {
      world.pass(.milliseconds(500))
      world.tend()
    }
    #expect(!world.holds && world.lapses.withLock { $0 } == 1)
    world.presence.lease.whenHeld(world.now.withLock { $0 }) { isTold.withLock { $0 = true } }
    #expect(!isTold.withLock { $0 })
    #expect(world.works.withLock { $0 } == 1)
    #expect(world.failures.withLock { $0.allSatisfy { $0.kind == .unavailable } && !$0.isEmpty }, "it is said why")
    world.store.state.withLock { $0.isAway = false }
    world.pass(.milliseconds(500))
    world.tend()
    #expect(world.holds && isTold.withLock { $0 } && world.lapses.withLock { $0 } == 1)
    #expect(world.works.withLock { $0 } == 2, "the sign says that the store works")
  }

  @Test func `holds again only when what others took was dropped`() {
    let ids = (0..<2_345).map { "s\($0)" }
    let world = World(ids)
    world.tend()
    #expect(world.store.state.withLock { $0.asked.flatMap { $0 } } == ids, "before the first one nothing is certain")
    world.store.state.withLock { ($0.asked, $0.takenIDs) = ([], ["s7", "s2000"]) }
    world.pass(.milliseconds(500))
    world.tend()
    #expect(world.store.state.withLock { $0.asked.isEmpty }, "the lease held")
    world.pass(.seconds(3))
    world.tend()
    #expect(world.store.state.withLock { $0.asked.map(\.count) } == [1_000, 1_000, 345])
    #expect(world.dropped.withLock { $0 } == ["s7", "s2000"] && world.holds)
  }

  @Test func `drops what others took, if it has missed that they said so`() {
    let world = World(["a", "b"])
    world.tend()
    world.store.state.withLock { ($0.takenIDs, $0.notices) = (["b"], [.missed]) }
    world.pass(.milliseconds(500))
    world.tend()
    #expect(world.dropped.withLock { $0 } == ["b"] && world.holds)
  }

  @Test func `is what a host has to give before it is ready, and again when it has given none for two seconds`() throws
  {
    let (store, clock) = (SharedShelf(), Locked(ContinuousClock.Instant.now))
    var configuration = SessionConfiguration()
    configuration.storage = SessionStorage(store, description: "a store")
    let host = SessionHost([], configuration: configuration, now: { clock.withLock { $0 } })
    try host.openStore(as: "a test")
    #expect(host.isStoreFailing)
    func giveSign() {
      host.giveSign()
      host.keeper?.presence?.settle()
    }
    giveSign()
    #expect(!host.isStoreFailing)
    store.state.withLock { $0.isAway = true }
    clock.withLock { $0 += .seconds(2) }
    giveSign()
    #expect(host.isStoreFailing)
    store.state.withLock { $0.isAway = false }
    clock.withLock { $0 += .milliseconds(400) }
    giveSign()
    #expect(!host.isStoreFailing)
  }

  @Test func `lets a session go that was on its way into memory while others may have taken it`() async throws {
    let shelf = MemorySessions()
    let opened = try await StoredHost(shelf).open()
    let (store, clock) = (SharedShelf(MemorySessions(sharing: shelf)), ManualClock())
    let host = try StoredHost(store, clock: clock)
    let giveSign: @Sendable () -> Void = { [host = host.host] in
      host.giveSign()
      host.keeper?.presence?.settle()
    }
    giveSign()
    store.whileClaiming.withLock {
      $0 = {
        // Three seconds pass without a sign, so the lease ends. Then the node gives the next sign.
        clock.advance(by: .seconds(3))
        giveSign()
      }
    }
    let (id, key) = (opened.session.id, opened.newKey)
    await #expect(throws: SessionError.self) { _ = try await host.find(id, as: key) }
    store.whileClaiming.withLock { $0 = {} }
    await host.host.drained()
    #expect(try await host.living(id, as: key).id == id)
  }

  @Test func `lets a session go that another node took while it was on its way into memory`() async throws {
    let shelf = MemorySessions()
    let opened = try await StoredHost(shelf).open()
    let (store, clock) = (SharedShelf(MemorySessions(sharing: shelf)), ManualClock())
    let host = try StoredHost(store, clock: clock)
    let giveSign: @Sendable () -> Void = { [host = host.host] in
      host.giveSign()
      host.keeper?.presence?.settle()
    }
    giveSign()
    let id = opened.session.id
    store.whileClaiming.withLock {
      $0 = { [store] in
        // The lease holds all the time. This node refused the other node's request, and so the other node took
        // the session.
        store.tell(.taken(id, boot: 99))
        clock.advance(by: .milliseconds(400))
        giveSign()
      }
    }
    await #expect(throws: SessionError.self) { _ = try await host.find(id, as: opened.newKey) }
    store.whileClaiming.withLock { $0 = {} }
    await host.host.drained()
    #expect(try await host.living(id, as: opened.newKey).id == id)
  }

  @Test func `has a session end for one that was opened elsewhere, unless somebody waits in it`() async throws {
    let store = SharedShelf()
    let host = try StoredHost(store)
    func giveSign() async {
      host.clock.advance(by: .milliseconds(400))
      host.host.giveSign()
      host.host.keeper?.presence?.settle()
    }
    await giveSign()
    let opened = try await host.open()
    let (session, answers) = (opened.session, Answers())
    let version = try session.now { $0.version }
    #expect(try session.now { $0.poll(since: version, waiter: answers.waiter(1)) } == nil)
    store.tell(.end(session.id, .superseded))
    await giveSign()
    #expect(`A host`.isFound(try await host.find(session.id, as: opened.newKey)) == "session")
    // This answers the reader, so nobody waits in the session any more.
    try session.now { try $0.rename("changed") }
    store.tell(.end(session.id, .superseded))
    await giveSign()
    await session.settled()
    #expect(await session.stored() == nil)
    #expect(`A host`.isFound(try await host.find(session.id, as: opened.newKey)) == "superseded")
  }

  @Test func `brings the notices of other nodes with a sign`() {
    let world = World()
    world.store.tell(.end("a", .ended))
    world.tend()
    #expect(world.heard.withLock { $0 } == [.end("a", .ended)])
  }

  @Test(arguments: [
    NodeNotice.client(Credential(hashing: "a")), .ended(Credential(hashing: "a"), isSignedOut: true),
    .ended(Credential(hashing: "b"), isSignedOut: false), .allClients, .taken("a-_9", boot: 7), .end("a-_9", .ended),
    .end("a", .superseded),
    .end("a", .byClient(nil)),
  ])
  func `a notice is read as it was written`(_ notice: NodeNotice) throws {
    #expect(NodeNotice(try #require(notice.text)) == notice)
  }

  @Test(arguments: ["", "client", "client 12", "client zz", "clients 1", "end a", "end a 5", "end a 07", "later words"])
  func `a text that is no notice is none`(_ text: String) { #expect(NodeNotice(text) == nil) }

  @Test func `is over for good when it ends`() {
    let world = World()
    world.tend()
    world.presence.end()
    world.pass(.seconds(1))
    world.tend()
    #expect(!world.holds && world.beats == 1)
  }

  @Test func `knows its own token, and no other text`() {
    let world = World()
    #expect(world.presence.isToken("token"))
    #expect(!world.presence.isToken("") && !world.presence.isToken("Token"))
  }
}
