// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import StoreRules
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

/// A command of a session in a store. Were it at work before the store has its beginning, a request that comes
/// again after a crash would start it once more.
@Suite(.timeLimit(.minutes(30))) struct `A command of a stored session` {
  private final class Letter: ViewModel {
    private let sent: Locked<Int>
    init(_ sent: Locked<Int>) { self.sent = sent }
    nonisolated(nonsending) func send() async throws { sent.withLock { $0 += 1 } }
    static let surface = Surface<Letter>("letter", .command("send", Letter.send))
  }

  private let store = HeldStore()
  private let sent = Locked(0)

  private func opened() async throws -> (StoredHost, Session) {
    let stored = try StoredHost(store, types: [.hosting { [sent] in Letter(sent) }])
    return (stored, try await store.open("letter", in: stored).session)
  }

  private func send(from session: Session) {
    _ = session.enter { try? $0.perform(["send"], nil, since: nil, ifMatch: nil) }
  }

  @Test func `starts when its beginning is stored`() async throws {
    let (_, session) = try await opened()
    send(from: session)
    let beginning = try await store.next()
    #expect(sent.withLock { $0 } == 0)
    store.letThrough(beginning)
    try await store.letThrough(lastOf: session)
    #expect(sent.withLock { $0 } == 1)
  }

  @Test func `never starts where the store refuses its beginning`() async throws {
    let (stored, session) = try await opened()
    send(from: session)
    let (changes, answer) = try await store.next()
    answer(changes.map { _ in .refused(StoreError(.full, "no room")) })
    #expect(await session.stored()?.name == "storeFull")
    await stored.host.drained()
    await session.settled()
    #expect(sent.withLock { $0 } == 0)
  }

  @Test func `is refused to the request that waits for it where the store refuses its beginning`() async throws {
    let (_, session) = try await opened()
    let (answers, told) = AsyncStream<SessionError?>.makeStream()
    let wish = ChangeRequest.Wish.changes([.perform(["send"], nil)], isList: false, since: nil, ifMatch: nil)
    let request = ChangeRequest(.success(wish), key: nil, waitsForCommands: true) { .init($0, kept: nil) }
    session.apply(request) { result in
      if case .failure(let error) = result { told.yield(error as? SessionError) } else { told.yield(nil) }
    }
    let (changes, answer) = try await store.next()
    answer(changes.map { _ in .refused(StoreError(.full, "no room")) })
    #expect(await answers.first { _ in true }??.name == "storeFull")
  }
}
