// SPDX-License-Identifier: MIT
import Locking
import ViewModels

/// A store in memory. It keeps every rule of a store, but forgets everything with the process.
package final class MemorySessions: SessionStore {
  struct Row: Sendable {
    var session: StoredSession
    var claim: SessionClaim
    var number: UInt64
    /// Its part of the store's room.
    var share: StoreShare
  }

  struct Shelf: Sendable {
    var boot: UInt64 = 0
    var rows: [String: Row] = [:]
    var byOwner: [Credential: Set<String>] = [:]
    var clients: [Credential: ClientRecord] = [:]
    var setAside: [(session: StoredSession, reason: String)] = []
    /// The id after which the next look begins.
    var lookedAt = ""
  }

  let shelf: Locked<Shelf>
  private let opened = Locked<UInt64>(0)

  package init() { shelf = Locked(Shelf()) }

  /// Opens the same sessions for another owner.
  package init(sharing other: MemorySessions) { shelf = other.shelf }

  package func open(as holder: String) -> UInt64 {
    let boot = shelf.withLock { shelf in
      shelf.boot += 1
      return shelf.boot
    }
    opened.withLock { $0 = boot }
    return boot
  }

  package var boot: UInt64 { opened.withLock { $0 } }

  package func claim(_ claims: [ClaimOffer], then answer: @Sendable ([ClaimOutcome]) -> Void) {
    answer(
      shelf.withLock { shelf in
        claims.map { offer in
          let (id, claim) = (offer.id, offer.claim)
          switch shelf.rows[id]?.session {
          case .living(let record):
            shelf.rows[id]?.claim = claim
            shelf.rows[id]?.number = 0
            return .held(record, claim)
          case .closed(let closed): return .closed(closed)
          case nil: return .none
          }
        }
      })
  }

  package func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @Sendable ([CommitOutcome]) -> Void
  ) {
    answer(shelf.withLock { shelf in changes.map { shelf.commit($0) } })
  }

  package func sessions(of owner: Credential, then answer: @Sendable (Result<[OwnedSession], StoreError>) -> Void) {
    answer(.success(stored(of: owner).map { OwnedSession($0) }))
  }

  /// The sessions of a client as they are stored.
  package func stored(of owner: Credential) -> [StoredSession] {
    shelf.withLock { shelf in shelf.byOwner[owner, default: []].sorted().compactMap { shelf.rows[$0]?.session } }
  }

  package func read(_ id: String) -> StoredSession? { shelf.withLock { $0.rows[id]?.session } }

  package func put(_ client: ClientRecord) { shelf.withLock { $0.clients[client.owner] = client } }

  package func renew(_ owner: Credential, as credential: Credential, at now: Int64) {
    shelf.withLock { shelf in
      guard shelf.clients[owner]?.credential == credential else { return }
      shelf.clients[owner]?.changed = now
    }
  }

  package func endClients(at now: Int64) {
    shelf.withLock { shelf in
      for owner in shelf.clients.keys {
        shelf.clients[owner] = ClientRecord(owner: owner, credential: nil, user: nil, changed: now)
      }
    }
  }

  package func client(of credential: Credential) -> ClientRecord? {
    shelf.withLock { shelf in
      shelf.clients[credential] ?? shelf.clients.values.first { $0.credential == credential }
    }
  }

  package func clients(of user: String) -> [ClientRecord] {
    shelf.withLock { $0.clients.values.filter { $0.user?.id == user } }
  }

  package func expire(by rule: ExpiryRule, limit: Int, isInMemory: (String) -> Bool) -> Expiry {
    shelf.withLock { shelf in
      var expiry = Expiry()
      let next = shelf.rows.keys.filter { $0 > shelf.lookedAt }.sorted().prefix(limit)
      shelf.lookedAt = next.count < limit ? "" : next.last ?? ""
      for id in next {
        switch shelf.rows[id]?.session {
        case .living(let record)
        where rule.takes(record) && !isInMemory(id): break
        case .closed(let closed) where closed.until <= rule.now: break
        case .living, .closed, nil: continue
        }
        shelf.forget(id)
        expiry.forgotten += 1
      }
      shelf.clients = shelf.clients.filter { $0.value.changed >= rule.unusedSince || shelf.byOwner[$0.key] != nil }
      return expiry
    }
  }

  package func due(by time: Int64, after last: DueSession?, limit: Int) -> [DueSession] {
    shelf.withLock { shelf in
      let due = shelf.rows.compactMap { id, row -> DueSession? in
        guard case .living(let record) = row.session, let wakesAt = record.wakesAt, wakesAt <= time else { return nil }
        return DueSession(id: id, time: wakesAt)
      }
      let later = due.filter { one in last.map { ($0.time, $0.id) < (one.time, one.id) } ?? true }
      return Array(later.sorted { ($0.time, $0.id) < ($1.time, $1.id) }.prefix(limit))
    }
  }

  /// Looks at all sessions: O(sessions).
  package func room(of limit: Int) -> StoreRoom {
    let shares = shelf.withLock { $0.rows.values.map(\.share) }
    let heaviest = Dictionary(grouping: shares) { StoreShare($0.network, isOfUsers: $0.isOfUsers, bytes: 0) }
      .map { StoreShare($0.network, isOfUsers: $0.isOfUsers, bytes: $1.reduce(0) { $0 + $1.bytes }) }
      .sorted { $0.bytes > $1.bytes }.prefix(StoreRoom.mostShares)
    return StoreRoom(limit: limit, bytes: shares.reduce(0) { $0 + $1.bytes }, heaviest: Array(heaviest))
  }

  package func makeRoom(_ step: RoomStep, isInMemory: (String) -> Bool) -> RoomMade {
    shelf.withLock { shelf in
      var made = RoomMade()
      for share in step.surplus {
        let all = shelf.rows.values
          .filter { $0.share.network == share.network && $0.share.isOfUsers == share.isOfUsers }
          .sorted { $0.session.id < $1.session.id }
        let sample = all.filter { $0.session.id > step.start } + all.filter { $0.session.id <= step.start }
        let rows = sample.prefix(step.sample)
          .sorted { $0.session.lastUsed < $1.session.lastUsed }.prefix(step.candidates)
          .map { (id: $0.session.id, bytes: $0.share.bytes) }
        let ends = step.ends(of: share, among: rows, isInMemory: isInMemory)
        for index in ends.stored { shelf.forget(rows[index].id) }
        made.forgotten += ends.stored.count
        made.inMemory += ends.inMemory.map { rows[$0].id }
      }
      return made
    }
  }

  package func list(after id: String?, limit: Int) -> [StoredSummary] {
    shelf.withLock { shelf in
      shelf.rows.keys.filter { $0 > id ?? "" }.sorted().prefix(limit).compactMap { id in
        shelf.rows[id].map { $0.summary(shelf.clients[$0.session.owner]?.user?.id) }
      }
    }
  }

  package func count() -> StoreCount {
    shelf.withLock { shelf in
      var count = StoreCount(setAside: shelf.setAside.count)
      for row in shelf.rows.values {
        if case .living = row.session { count.living += 1 } else { count.closed += 1 }
      }
      return count
    }
  }

  package func close() {}
}

extension MemorySessions.Shelf {
  mutating func commit(_ change: StoreChange) -> CommitOutcome {
    let row = rows[change.id]
    switch change.verdict(on: row.map { StoredState(claim: $0.claim, number: $0.number, isClosed: $0.isClosed) }) {
    case .fenced: return .fenced
    case .isDone: return .durable
    case .isBehind: return .behind
    case .isTaken: break
    }
    switch change.content {
    case .record(let record):
      var present = record
      if case .living(let before)? = row?.session { present = before }
      present.take(record)
      put(.living(present), change)
    case .closed(let closed): put(.closed(closed), change)
    case .removed: forget(change.id)
    case .setAside(let reason):
      if let row { setAside.append((row.session, reason)) }
      forget(change.id)
    }
    return .durable
  }

  private mutating func put(_ session: StoredSession, _ change: StoreChange) {
    rows[change.id] = MemorySessions.Row(
      session: session, claim: change.claim, number: change.number, share: share(of: session))
    byOwner[session.owner, default: []].insert(change.id)
  }

  /// The share of a session that is to be put in. A session stays with the network that it was opened from, if that is
  /// known.
  func share(of session: StoredSession) -> StoreShare {
    let before = rows[session.id]?.share.network ?? 0
    return switch session {
    case .living(let record):
      StoreShare(before == 0 ? record.network : before, isOfUsers: record.isOfUser, bytes: record.room)
    case .closed: StoreShare(before, isOfUsers: false, bytes: StoreRoom.page)
    }
  }

  mutating func forget(_ id: String) {
    guard let row = rows.removeValue(forKey: id) else { return }
    byOwner[row.session.owner]?.remove(id)
    if byOwner[row.session.owner]?.isEmpty == true { byOwner[row.session.owner] = nil }
  }
}

extension MemorySessions.Row {
  var isClosed: Bool { if case .closed = session { true } else { false } }

  func summary(_ userOfClient: String?) -> StoredSummary {
    switch session {
    case .living(let record):
      StoredSummary(
        id: record.id, model: record.model, owner: record.owner, claim: claim,
        bytes: record.parts.put.values.reduce(record.state.count + record.keys.count) { $0 + $1.count },
        lastUsed: record.lastUsed, closedUntil: nil, context: record.context, userOfClient: userOfClient)
    case .closed(let closed):
      StoredSummary(
        id: closed.id, model: closed.model, owner: closed.owner, claim: claim, bytes: 0, lastUsed: nil,
        closedUntil: closed.until, userOfClient: userOfClient)
    }
  }
}

extension StoredSession {
  /// The last use, by which sessions end for others; 0 for a closed session.
  fileprivate var lastUsed: Int64 { if case .living(let record) = self { abs(record.lastUsed) } else { 0 } }
}
