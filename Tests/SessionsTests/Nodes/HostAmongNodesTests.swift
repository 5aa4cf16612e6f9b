// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import StoreRules
import Testing

@testable import Sessions
@testable import Storing

/// A host whose store is shared with other nodes.
@Suite(.timeLimit(.minutes(30))) struct `A host among nodes` {
  private let shelf = MemorySessions()
  private let store: SharedShelf
  private let host: StoredHost
  /// A session that was stored before the host began.
  private let opened: SessionHost.Opened

  init() async throws {
    opened = try await StoredHost(shelf).open()
    store = SharedShelf(MemorySessions(sharing: shelf))
    host = try StoredHost(store)
  }

  @Sendable private func giveSign(after duration: Duration = .zero) { host.giveSign(after: duration) }

  @Test func `is ready with its first sign, and not while it has given none for two seconds`() {
    #expect(host.host.isStoreFailing)
    giveSign()
    #expect(!host.host.isStoreFailing)
    store.state.withLock { $0.isAway = true }
    giveSign(after: .seconds(2))
    #expect(host.host.isStoreFailing)
    store.state.withLock { $0.isAway = false }
    giveSign(after: .milliseconds(400))
    #expect(!host.host.isStoreFailing)
  }

  /// Has something happen while the session comes into memory: the host lets it go then, and the next request
  /// finds it.
  private func expectLettingGo(whileClaiming event: @escaping @Sendable () -> Void) async throws {
    giveSign()
    store.whileClaiming.withLock { $0 = event }
    let (id, key) = (opened.session.id, opened.newKey)
    await #expect(throws: SessionError.self) { _ = try await host.find(id, as: key) }
    store.whileClaiming.withLock { $0 = {} }
    await host.host.drained()
    #expect(try await host.living(id, as: key).id == id)
  }

  @Test func `lets a session go that was on its way into memory while others may have taken it`() async throws {
    // Three seconds pass without a sign, so the lease ends. Then the node gives the next sign.
    try await expectLettingGo { giveSign(after: .seconds(3)) }
  }

  @Test func `lets a session go that another node took while it was on its way into memory`() async throws {
    let id = opened.session.id
    try await expectLettingGo { [store] in
      // The lease holds all the time. This node refused the other node's request, and so the other node took
      // the session.
      store.state.withLock { $0.takenIDs = [id] }
      store.tell(.taken(id, SessionClaim(boot: 99, number: 9)))
      giveSign(after: .milliseconds(400))
    }
  }

  @Test func `lets a session go that another node has taken by a later claim than its own`() async throws {
    giveSign()
    let (id, key) = (opened.session.id, opened.newKey)
    let session = try await host.living(id, as: key)
    let own = try #require(session.keeping?.claim.number)
    store.state.withLock { $0.takenIDs = [id] }
    store.tell(.taken(id, SessionClaim(boot: 99, number: own - 1)))
    giveSign(after: .milliseconds(400))
    await session.settled()
    #expect(try await host.living(id, as: key) === session)
    store.tell(.taken(id, SessionClaim(boot: 99, number: own + 1)))
    giveSign(after: .milliseconds(400))
    await session.settled()
    #expect(try await host.living(id, as: key) !== session)
  }

  @Test func `tells no poll that nothing is newer where it cannot ask the store, but handles it anew`() async throws {
    for _ in 0..<2 { giveSign(after: .milliseconds(400)) }
    let (opened, answers) = (try await host.open(), Answers())
    #expect(try opened.session.now { $0.poll(since: $0.version, waiter: answers.waiter(1)) } == nil)
    store.state.withLock { $0.isAway = true }
    giveSign(after: .seconds(2))
    await opened.session.settled()
    #expect(answers.all == ["1 \(text(.failed(.left)))"])
    #expect(throws: SessionsToFetch.self) { try host.host.find("note", opened.session.id, as: opened.credential) }
  }

  @Test func `asks the store once for the place of another's session, until that may be wrong`() async throws {
    giveSign()
    let id = opened.session.id
    let place = Whereabouts(node: Node(boot: 99, url: "http://there", token: "t"), claim: .init(boot: 99, number: 1))
    store.state.withLock { $0.place = place }
    /// Fetches the session twice, and gives the number of claims.
    func claims(after event: () -> Void = {}, released: Elsewhere? = nil) async -> Int {
      event()
      let before = store.state.withLock { $0.claims }
      for released in [released, nil] {
        let fetched = await host.host.fetch(.session(id, for: nil), released: released)
        if case .elsewhere(let found) = fetched { #expect(found.url == "http://there") } else { Issue.record() }
      }
      return store.state.withLock { $0.claims } - before
    }
    #expect(await claims() == 1)
    #expect(await claims() == 0)
    #expect(await claims(after: { host.host.forgetPlace(of: id) }) == 1)
    #expect(await claims(released: Elsewhere(id, place, for: nil)) == 1)
    store.tell(.taken(id, .init(boot: 98, number: 2)))
    #expect(await claims(after: { giveSign(after: .seconds(1)) }) == 1)
    #expect(await claims(after: { host.clock.advance(by: KnownPlaces.life) }) == 1)
    #expect(await claims(after: { store.state.withLock { $0.gone = [99] } }) == 2)
  }

  @Test func `finds the session that another one has opened for the same request at the same time`() async throws {
    let (shelf, told) = (HeldStore(), AsyncStream<String>.makeStream())
    let here = try StoredHost(shelf)
    let client = try await shelf.open(in: here)
    let request = KeyedRequest(key: .text("a"), digest: Digest(counted: "a"))
    let twin = try here.host.open("note", as: client.credential, request).session
    twin.submit { _ in
    } then: {
      told.continuation.yield("\($0)")
    }
    let there = try StoredHost(MemorySessions(sharing: shelf.memory))
    let first = try await there.opening(as: client.newKey, request).session
    first.enter { $0.version }
    #expect(await first.stored() == nil)
    try await shelf.next().answer([.fenced])
    #expect(await told.stream.first { _ in true } == "\(Result<Void, SessionError>.failure(.left))")
    #expect(try await here.opening(as: client.newKey, request).session.id == first.id)
  }

  @Test func `ends nothing and signs nobody out for a notice of which the store knows nothing`() async throws {
    giveSign()
    let (id, key) = (opened.session.id, opened.newKey)
    let session = try await host.living(id, as: key)
    let client = try #require(credential(key))
    for notice in [
      .allClients, .missed, .client(client, ofUser: nil), .ended(client, isSignedOut: true), .end(id),
      .taken(id, SessionClaim(boot: 99, number: .max)),
    ] as [NodeNotice] {
      store.tell(notice)
      giveSign(after: .milliseconds(400))
      try await host.swept()
      await session.settled()
      #expect(try await host.living(id, as: key) === session, "\(notice)")
    }
  }

  @Test func `signs a client out that the store says is signed out`() async throws {
    giveSign()
    let (id, key) = (opened.session.id, opened.newKey)
    let session = try await host.living(id, as: key)
    let client = try #require(credential(key))
    shelf.put(ClientRecord(owner: client, credential: nil, user: nil, changed: 1))
    store.tell(.allClients)
    giveSign(after: .milliseconds(400))
    try await host.swept()
    await session.settled()
    #expect(try await host.find(id, as: key).text == "signed out")
  }

  /// Has the session leave in the turn of an action, and gives what the action's client is told.
  private func answerToActionBeforeLeaving() async throws -> (answer: SessionError?, session: Session) {
    let session = try await host.living(opened.session.id, as: opened.newKey)
    let told = AsyncStream<SessionError?>.makeStream()
    session.submit { isolated in
      try? isolated.rename("changed")
      isolated.tell { told.continuation.yield($0) }
      isolated.leaveToOthers()
    }
    return (try #require(await told.stream.first { _ in true }), session)
  }

  @Test func `stores an action if the session leaves in its turn for a notice that came late`() async throws {
    giveSign()
    let (answer, session) = try await answerToActionBeforeLeaving()
    #expect(answer == nil)
    let again = try await host.living(session.id, as: opened.newKey)
    #expect(again !== session)
    #expect(try again.now { try $0.title } == "changed")
  }

  @Test func `tells no action as done if the session leaves in its turn and another node has it`() async throws {
    giveSign()
    let (id, key) = (opened.session.id, opened.newKey)
    _ = try await host.living(id, as: key)
    let other = try StoredHost(SharedShelf(MemorySessions(sharing: shelf)))
    other.host.giveSign()
    other.host.keeper?.presence?.settle()
    let there = try await other.living(id, as: key)
    let (answer, _) = try await answerToActionBeforeLeaving()
    #expect(answer?.name == "storeUnavailable")
    #expect(try there.now { try $0.title } != "changed")
    // The copy that left is not remembered.
    await host.host.drained()
    #expect(host.host.keeper?.committer.state.withLock { $0.queue.barred.isEmpty } == true)
  }
}
