// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import Testing

@testable import Sessions

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

  /// Gives a sign of life, which brings what other nodes said.
  @Sendable private func giveSign(after duration: Duration = .zero) {
    host.clock.advance(by: duration)
    host.host.giveSign()
    host.host.keeper?.presence?.settle()
  }

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

  @Test func `has a session end for one that was opened elsewhere, unless a reader waits in it`() async throws {
    giveSign(after: .milliseconds(400))
    let opened = try await host.open()
    let (session, answers) = (opened.session, Answers())
    let version = try session.now { $0.version }
    #expect(try session.now { $0.poll(since: version, waiter: answers.waiter(1)) } == nil)
    store.askToEnd(session.id, as: .superseded)
    giveSign(after: .milliseconds(400))
    try await host.swept()
    #expect(try await host.find(session.id, as: opened.newKey).text == "session")
    // This answers the reader, so nobody waits in the session any more.
    try session.now { try $0.rename("changed") }
    store.askToEnd(session.id, as: .superseded)
    giveSign(after: .milliseconds(400))
    try await host.swept()
    await session.settled()
    #expect(await session.stored() == nil)
    #expect(try await host.find(session.id, as: opened.newKey).text == "superseded")
  }

  @Test func `ends nothing and signs nobody out for a notice of which the store knows nothing`() async throws {
    giveSign()
    let (id, key) = (opened.session.id, opened.newKey)
    let session = try await host.living(id, as: key)
    let client = try #require(credential(key))
    for notice in [
      .allClients, .missed, .client(client), .ended(client, isSignedOut: true), .end(id),
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
