// SPDX-License-Identifier: MIT
import Locking

@testable import Sessions

/// A store that can be out of reach, and in which another node takes sessions.
final class SharedShelf: SharedSessionStore {
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
