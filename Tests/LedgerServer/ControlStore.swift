// SPDX-License-Identifier: MIT
import Euripus
import Locking
import Sessions

/// A store that lacks one of the means that keep several servers apart. It is the control of Tests/Faults,
/// which has to find the lack.
///
/// It stores a change even if the change's claim counts no more. For that it takes the session back, without a
/// look at it, and writes.
final class ControlStore: SharedSessionStore {
  enum Control: String {
    /// Every change is written, whichever server has the session by now.
    case noFencing = "no-fencing"
    /// A change is written if its process has the number of the last claim on the session. Each process counts
    /// its own claims, so two of them may have the same number.
    case processClaims = "process-claims"
  }

  private let store: any SharedSessionStore
  private let control: Control
  /// How often this process has claimed each session.
  private let counts = Locked<[String: Int]>([:])

  init(_ store: any SharedSessionStore, _ control: Control) { (self.store, self.control) = (store, control) }

  func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    store.claim(claims) { outcomes in
      for case .held(let record, _) in outcomes { self.count(record.id) }
      answer(outcomes)
    }
  }

  func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) {
    for change in changes where change.isNew && counts.withLock({ $0[change.id] == nil }) { count(change.id) }
    store.commit(changes, survivesPowerCut: survivesPowerCut) { outcomes in
      answer(
        zip(changes, outcomes).map { change, outcome in
          outcome == .fenced && self.mayWrite(change) ? self.write(change, survivesPowerCut) : outcome
        })
    }
  }

  private func mayWrite(_ change: StoreChange) -> Bool {
    switch control {
    case .noFencing: return true
    case .processClaims:
      guard let own = counts.withLock({ $0[change.id] }) else { return false }
      return (try? store.client(of: key(change.id)))?.user?.id == "\(own)"
    }
  }

  /// Counts a claim of a session. Where the numbers decide, the store keeps the number beside
  /// the session, as a client's user.
  private func count(_ id: String) {
    let number = counts.withLock { counts in
      counts[id, default: 0] += 1
      return counts[id, default: 0]
    }
    if control == .noFencing { return }
    let user = User(id: "\(number)", name: "", roles: [])
    do throws(StoreError) {
      try store.put(ClientRecord(owner: key(id), credential: nil, user: user, changed: .max))
    } catch {
      // Without a number no stale change is written, and the control is as strict as the store.
      counts.withLock { $0[id] = nil }
    }
  }

  private func key(_ id: String) -> Credential { Credential(hashing: "claim of \(id)") }

  /// Stores a change by a fresh claim. The store answers before its calls return, so the outcome is there at the end.
  private func write(_ change: StoreChange, _ survivesPowerCut: Bool) -> CommitOutcome {
    guard let claim = taken(ClaimOffer(change.id, change.claim)) else { return .fenced }
    let outcome = Locked(CommitOutcome.fenced)
    store.commit(
      [StoreChange(change.id, claim, change.content, number: change.number)], survivesPowerCut: survivesPowerCut
    ) { outcomes in
      outcome.withLock { $0 = outcomes[0] }
    }
    return outcome.withLock { $0 }
  }

  /// The claim that gives a session to this process, whichever process had it; `nil` if there is no such session.
  private func taken(_ offer: ClaimOffer) -> SessionClaim? {
    let outcome = Locked(ClaimOutcome.none)
    store.claim([offer]) { outcomes in outcome.withLock { $0 = outcomes[0] } }
    switch outcome.withLock({ $0 }) {
    case .held(_, let claim): return claim
    case .elsewhere(let place) where offer.evenFrom == nil:
      return taken(ClaimOffer(offer.id, offer.claim, evenFrom: place.claim))
    case .elsewhere, .closed, .none, .setAside, .failed: return nil
    }
  }

  // MARK: Handed on as they are

  var boot: UInt64 { store.boot }
  var isShared: Bool { store.isShared }
  var token: String? { store.token }

  func hosts(_ schemas: [String: UInt32]) { store.hosts(schemas) }
  func open(as holder: String) throws(StoreError) -> UInt64 { try store.open(as: holder) }
  func gone(_ now: ContinuousClock.Instant) -> [UInt64] { store.gone(now) }
  func beat(_ now: ContinuousClock.Instant) throws(StoreError) -> [NodeNotice] { try store.beat(now) }
  func tell(_ notice: NodeNotice) throws(StoreError) { try store.tell(notice) }
  func taken(of ids: [String]) throws(StoreError) -> [String] { try store.taken(of: ids) }

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

  func list(of client: Credential, user: String?, limit: Int) throws(StoreError) -> [StoredSummary] {
    try store.list(of: client, user: user, limit: limit)
  }

  func list(after id: String?, limit: Int) throws(StoreError) -> [StoredSummary] {
    try store.list(after: id, limit: limit)
  }

  func count() throws(StoreError) -> StoreCount { try store.count() }
  func close() { store.close() }
}
