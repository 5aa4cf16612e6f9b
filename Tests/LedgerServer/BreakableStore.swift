// SPDX-License-Identifier: MIT
import Euripus
import EuripusNodes
import Glibc
import Locking
import Storing

/// A store of several servers whose changes can be held back on their way: while there is a file of the name HOLD, a dot
/// and a session's id, a commit of that session waits at this server, and all later ones with it. The log has a line when
/// a commit begins to wait, and one for each change that comes too late.
///
/// As the control of the tests it lacks one of the means that keep several servers apart. It then stores a change even
/// if the change's claim counts no more. For that it takes the session back, without a look at it, and writes.
final class BreakableStore: StoreInFront, SharedSessionStore, TransactingStore, @unchecked Sendable {
  enum Control: String {
    /// Every change is written, whichever server has the session by now.
    case noFencing = "no-fencing"
    /// A change is written if its process has the number of the last claim on the session. Each process counts
    /// its own claims, so two of them may have the same number.
    case processClaims = "process-claims"
    /// A change says of no earlier one that it builds on it. So a store that has lost changes is never found out.
    case noSince = "no-since"
  }

  private let shared: PostgreSQLStore
  private let hold: String
  private let control: Control?
  /// How often this process has claimed each session.
  private let counts = Locked<[String: Int]>([:])

  init(_ store: PostgreSQLStore, hold: String, _ control: Control?) {
    (shared, self.hold, self.control) = (store, hold, control)
    super.init(store)
  }

  override func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    super.claim(claims) { outcomes in
      for case .held(let record, _) in outcomes { self.count(record.id) }
      answer(outcomes)
    }
  }

  override func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) {
    for id in changes.map(\.id) { Self.wait(for: id, hold) }
    for change in changes where change.isNew && counts.withLock({ $0[change.id] == nil }) { count(change.id) }
    let sent = control == .noSince ? changes.map(\.onItsOwn) : changes
    super.commit(sent, survivesPowerCut: survivesPowerCut) { outcomes in
      answer(
        zip(changes, outcomes).map { change, outcome in
          guard outcome == .fenced else { return outcome }
          let settled = self.mayWrite(change) ? self.write(change, survivesPowerCut) : outcome
          StandardError.write("late \(change.id) \(settled)")
          return settled
        })
    }
  }

  fileprivate static func wait(for id: String, _ hold: String) {
    guard access("\(hold).\(id)", F_OK) == 0 else { return }
    StandardError.write("held \(id)")
    while access("\(hold).\(id)", F_OK) == 0 { usleep(1_000) }
  }

  func migrate(_ steps: [Migration]) throws(StoreError) { try shared.migrate(steps) }

  func begin(
    for session: HeldSession, survivesPowerCut: Bool, within limit: Duration, _ committer: Committer
  ) throws(DatabaseFailure) -> any StoreTransaction {
    HeldTransaction(
      try shared.begin(for: session, survivesPowerCut: survivesPowerCut, within: limit, committer), hold)
  }

  private func mayWrite(_ change: StoreChange) -> Bool {
    switch control {
    case nil, .noSince: return false
    case .noFencing: return true
    case .processClaims:
      guard let own = counts.withLock({ $0[change.id] }) else { return false }
      return (try? store.client(of: key(change.id)))?.user?.id == "\(own)"
    }
  }

  /// Counts a claim of a session. Where the numbers decide, the store keeps the number beside
  /// the session, as a client's user.
  private func count(_ id: String) {
    guard control == .processClaims else { return }
    let number = counts.withLock { counts in
      counts[id, default: 0] += 1
      return counts[id, default: 0]
    }
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

  var isShared: Bool { shared.isShared }
  var token: String? { shared.token }
  func hosts(_ schemas: [String: UInt32]) { shared.hosts(schemas) }
  func gone(_ now: ContinuousClock.Instant) -> [UInt64] { shared.gone(now) }
  func beat(
    _ now: ContinuousClock.Instant, lookingFor sessions: (Bool) -> [String]?
  ) throws(StoreError) -> NodeSign { try shared.beat(now, lookingFor: sessions) }
  func askToEnd(_ id: String, as closing: Closing) throws(StoreError) { try shared.askToEnd(id, as: closing) }
  func keep(_ ids: [String], insteadOf closing: Closing) throws(StoreError) {
    try shared.keep(ids, insteadOf: closing)
  }
  func tell(_ topic: String) throws(StoreError) { try shared.tell(topic) }
  func lock(_ name: String) throws(StoreError) -> (any StoreLock)? { try shared.lock(name) }
  func begin(
    isReading: Bool, within limit: Duration, _ committer: Committer
  ) throws(DatabaseFailure) -> any StoreTransaction {
    try shared.begin(isReading: isReading, within: limit, committer)
  }
  func askedEnds(among ids: [String]) throws(StoreError) -> [String: Closing] { try shared.askedEnds(among: ids) }
}

/// A transaction of an action whose commit can be held back.
private final class HeldTransaction: TransactionInFront {
  private let hold: String

  init(_ transaction: any StoreTransaction, _ hold: String) {
    self.hold = hold
    super.init(transaction)
  }

  override func commit(_ change: StoreChange) -> CommitOutcome {
    BreakableStore.wait(for: change.id, hold)
    return super.commit(change)
  }
}

extension StoreChange {
  /// The same change, as one that builds on no earlier one.
  fileprivate var onItsOwn: StoreChange { StoreChange(id, claim, isNew: isNew, content, number: number) }
}
