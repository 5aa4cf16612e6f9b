// SPDX-License-Identifier: MIT
import Dispatch
import Glibc
import Locking
import Sessions

/// A store whose process may die at its calls. As the control of the tests it can also answer before it has stored.
final class MortalStore: SessionStore {
  private let store: any SessionStore
  private let answersEarly: Bool
  private let late = DispatchQueue(label: "late")
  /// The revision at which each session was stored or read last.
  private let revisions = Locked<[String: UInt64]>([:])

  init(_ store: any SessionStore, answersEarly: Bool) {
    self.store = store
    self.answersEarly = answersEarly
  }

  func open(as holder: String) throws(StoreError) -> UInt64 { try store.open(as: holder) }

  var boot: UInt64 { store.boot }

  func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    Death.atClaim.mayCome()
    store.claim(claims) { [revisions] outcomes in
      revisions.withLock { revisions in
        for case .held(let record, _) in outcomes { revisions[record.id] = record.revision }
      }
      Death.afterClaim.mayCome()
      answer(outcomes)
    }
  }

  func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) {
    if answersEarly {
      answer(changes.map { _ in .durable })
      // By then a test may have killed the process.
      return late.asyncAfter(deadline: .now() + .milliseconds(50)) { [store] in
        store.commit(changes, survivesPowerCut: survivesPowerCut) { _ in }
      }
    }
    Death.beforeCommit.mayCome()
    let hasLeaving = isLeaving(changes)
    if hasLeaving {
      Death.beforeLeaving.mayCome()
      // Long enough for a request to come meanwhile, now and then.
      usleep(20_000)
    }
    store.commit(changes, survivesPowerCut: survivesPowerCut) { outcomes in
      if hasLeaving { Death.afterLeaving.mayCome() }
      Death.afterCommit.mayCome()
      answer(outcomes)
    }
  }

  /// Whether one of the changes stores a session that is stored already, but for its last use. Such a session
  /// is about to leave memory.
  private func isLeaving(_ changes: [StoreChange]) -> Bool {
    revisions.withLock { revisions in
      changes.reduce(into: false) { isLeaving, change in
        guard case .record(let record) = change.content else { return }
        if revisions.updateValue(record.revision, forKey: record.id) == record.revision { isLeaving = true }
      }
    }
  }

  func read(_ id: String) throws(StoreError) -> StoredSession? { try store.read(id) }

  func sessions(of owner: Credential, then answer: @escaping @Sendable (Result<[OwnedSession], StoreError>) -> Void) {
    store.sessions(of: owner, then: answer)
  }

  func put(_ client: ClientRecord) throws(StoreError) { try store.put(client) }
  func renew(_ owner: Credential, as credential: Credential, at now: Int64) throws(StoreError) {
    try store.renew(owner, as: credential, at: now)
  }
  func endClients(at now: Int64) throws(StoreError) { try store.endClients(at: now) }
  func client(of credential: Credential) throws(StoreError) -> ClientRecord? { try store.client(of: credential) }
  func clients(of user: String) throws(StoreError) -> [ClientRecord] { try store.clients(of: user) }

  func expire(
    now: Int64, unusedSince: Int64, limit: Int, isInMemory: (String) -> Bool
  ) throws(StoreError) -> Expiry {
    try store.expire(now: now, unusedSince: unusedSince, limit: limit, isInMemory: isInMemory)
  }

  func due(by time: Int64, after last: DueSession?, limit: Int) throws(StoreError) -> [DueSession] {
    try store.due(by: time, after: last, limit: limit)
  }

  func list(after id: String?, limit: Int) throws(StoreError) -> [StoredSummary] {
    try store.list(after: id, limit: limit)
  }

  func count() throws(StoreError) -> StoreCount { try store.count() }
  func close() { store.close() }
}
