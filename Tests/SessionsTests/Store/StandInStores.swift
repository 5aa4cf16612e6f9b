// SPDX-License-Identifier: MIT
import Locking
import StoreRules
import Testing
import ViewModels

@testable import Sessions
@testable import Storing

extension HeldStore {
  /// Stores the next batch, which is the last of a session.
  func letThrough(lastOf session: Session) async throws {
    try await letThrough()
    #expect(await session.stored() == nil)
  }

  /// Opens a session in a host on this store, and lets that through.
  func open(_ name: String = "note", in stored: StoredHost, isFound: Bool = false) async throws -> SessionHost.Opened {
    let opened = try stored.host.open(name, as: nil)
    if isFound { _ = try stored.host.find(name, opened.session.id, as: opened.credential) }
    opened.session.enter { $0.version }
    try await letThrough(lastOf: opened.session)
    return opened
  }
}

/// A store in memory that refuses clients, endings or lookups while a test says so.
final class RefusingStore: BackedStore {
  let memory = MemorySessions()
  let refuses = Locked(false)
  let refusesEndings = Locked(false)
  let refusesLookups = Locked(false)
  let refusedLookups = Locked(0)

  func put(_ client: ClientRecord) throws(StoreError) {
    if refuses.withLock({ $0 }) || client.credential == nil && refusesEndings.withLock({ $0 }) {
      throw StoreError(.unavailable, "it is told to refuse")
    }
    memory.put(client)
  }

  func client(of credential: Credential) throws(StoreError) -> ClientRecord? {
    if refusesLookups.withLock({ $0 }) {
      refusedLookups.withLock { $0 += 1 }
      throw StoreError(.unavailable, "it is told to refuse")
    }
    return memory.client(of: credential)
  }
}

/// A store in memory that can lose sessions, as a database does that crashes.
final class LosingStore: BackedStore {
  let memory = MemorySessions()
  private let lost = Locked<Set<String>>([])

  /// Loses a session that its owner has in memory.
  func lose(_ id: String) {
    _ = lost.withLock { $0.insert(id) }
    memory.shelf.withLock { $0.forget(id) }
  }

  func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) { answer(changes.map { commit($0) }) }

  private func commit(_ change: StoreChange) -> CommitOutcome {
    let isLost = memory.read(change.id) == nil && lost.withLock { $0.contains(change.id) }
    guard isLost else { return memory.shelf.withLock { $0.commit(change) } }
    if change.verdict(on: nil, isLost: true) == .isBehind { return .behind }
    var change = change
    change.isNew = true
    return memory.shelf.withLock { [change] in $0.commit(change) }
  }
}

/// A store in memory that makes claims at once. While a test holds them, their answers come when the test lets them.
final class HeldClaims: BackedStore {
  typealias Answer = @Sendable () -> Void
  let memory: MemorySessions
  let holds = Locked(false)
  private let (answers, held) = AsyncStream.makeStream(of: Answer.self)

  init(_ memory: MemorySessions) { self.memory = memory }

  func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    memory.claim(claims) { outcomes in
      if holds.withLock({ $0 }) { held.yield { answer(outcomes) } } else { answer(outcomes) }
    }
  }

  /// The next answer that is held.
  func next() async throws -> Answer { try #require(await answers.first { _ in true }) }
}
