// SPDX-License-Identifier: MIT
import Locking
import StoreRules
import Testing

@testable import Sessions
@testable import Storing

@Suite(.timeLimit(.minutes(30))) struct `A session that another server has asked to end` {
  private let store = SharedShelf()
  private let host: StoredHost

  init() throws { host = try StoredHost(store) }

  private var asked: [String: Closing] { store.state.withLock { $0.askedEnds } }

  private func ask(for id: String, as closing: Closing) { store.state.withLock { $0.askedEnds[id] = closing } }

  /// Opens a session in which a reader waits.
  private func openWithReader() async throws -> SessionHost.Opened {
    try await host.hear()
    let opened = try await host.open()
    let answers = Answers()
    #expect(try opened.session.now { $0.poll(since: $0.version, waiter: answers.waiter(1)) } == nil)
    return opened
  }

  /// Has the session change, which answers its reader. Then nobody waits in it any more.
  private func answerReader(of session: Session) async throws {
    try session.now { try $0.rename("changed") }
    #expect(await session.stored() == nil)
  }

  /// Opens a session at another server, which is gone when the host begins.
  private func openedByAnother() async throws -> SessionHost.Opened {
    let opened = try await StoredHost(MemorySessions(sharing: store.memory)).open()
    try await host.hear()
    return opened
  }

  @Test func `ends for a newer one, unless a reader waits in it`() async throws {
    let opened = try await openWithReader()
    store.askToEnd(opened.session.id, as: .superseded)
    try await host.hear()
    #expect(try await host.find(opened.session.id, as: opened.newKey).text == "session")
    try await answerReader(of: opened.session)
    store.askToEnd(opened.session.id, as: .superseded)
    try await host.hear()
    #expect(await opened.session.stored() == nil)
    #expect(try await host.find(opened.session.id, as: opened.newKey).text == "superseded")
  }

  @Test func `stays for good where it stays for its reader, also when notices were missed later`() async throws {
    let opened = try await openWithReader()
    store.askToEnd(opened.session.id, as: .superseded)
    try await host.hear()
    #expect(asked == [:])
    try await answerReader(of: opened.session)
    store.tell(.missed)
    try await host.hear()
    #expect(try await host.find(opened.session.id, as: opened.newKey).text == "session")
  }

  @Test func `stays for good also if the store could not be told so at once`() async throws {
    let opened = try await openWithReader()
    host.host.keeper?.unheard.withLock { $0.add(staying: opened.session.id) }
    store.state.withLock { $0.refusesLooks = true }
    store.askToEnd(opened.session.id, as: .superseded)
    try await host.hear()
    #expect(asked == [opened.session.id: .superseded])
    try await answerReader(of: opened.session)
    store.state.withLock { $0.refusesLooks = false }
    host.clock.advance(by: .seconds(1))
    store.tell(.missed)
    try await host.hear()
    #expect(asked == [:])
    #expect(try await host.find(opened.session.id, as: opened.newKey).text == "session")
  }

  @Test func `ends for an operator, whether or not a reader waits in it`() async throws {
    let opened = try await openWithReader()
    store.askToEnd(opened.session.id, as: .ended)
    try await host.hear()
    #expect(await opened.session.stored() == nil)
    #expect(try await host.find(opened.session.id, as: opened.newKey).text == "ended")
  }

  @Test func `ends for an operator when another server takes it over, if its own one did not hear of it`() async throws
  {
    let opened = try await openedByAnother()
    ask(for: opened.session.id, as: .ended)
    #expect(try await host.find(opened.session.id, as: opened.newKey).text == "ended")
    #expect(host.host.count == 0 && store.memory.count() == StoreCount(closed: 1))
  }

  @Test func `makes no room for a newer one where another server has taken it over for a request`() async throws {
    let opened = try await openedByAnother()
    ask(for: opened.session.id, as: .superseded)
    let session = try await host.living(opened.session.id, as: opened.newKey)
    store.tell(.missed)
    try await host.hear()
    #expect(try await host.living(opened.session.id, as: opened.newKey) === session)
  }

  @Test(arguments: [(Closing.ended, "ended"), (.superseded, "session")])
  func `ends for an operator alone where that is heard on its way into memory`(
    closing: Closing, expected: String
  ) async throws {
    let opened = try await openedByAnother()
    let (id, host, store) = (opened.session.id, self.host.host, self.store)
    store.whileClaiming.withLock {
      $0 = {
        store.whileClaiming.withLock { $0 = {} }
        store.state.withLock { $0.askedEnds[id] = closing }
        host.end(id, asAsked: closing)
      }
    }
    _ = try? await self.host.find(id, as: opened.newKey)
    await host.drained()
    for _ in 0..<2 {
      store.tell(.missed)
      try await self.host.hear()
    }
    #expect(try await self.host.find(id, as: opened.newKey).text == expected)
  }

  @Test(arguments: [(Closing.ended, "ended"), (.superseded, "superseded")])
  func `ends in the store if it has left memory meanwhile`(closing: Closing, expected: String) async throws {
    try await host.hear()
    let opened = try await host.open()
    opened.session.submit { [host = host.host] isolated in
      host.end(isolated.id, asAsked: closing)
      isolated.leave(nil)
    }
    await opened.session.settled()
    try await host.swept()
    #expect(host.host.count == 0 && store.memory.count() == StoreCount(closed: 1))
    #expect(try await host.find(opened.session.id, as: opened.newKey).text == expected)
  }
}
