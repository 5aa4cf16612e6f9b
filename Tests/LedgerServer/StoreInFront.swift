// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// A store that hands all calls on to another one. Its subclasses do harm in some of them.
// @unchecked Sendable: `store` is a constant, and the fields of subclasses are constants or under locks.
class StoreInFront: SessionStore, @unchecked Sendable {
  let store: any SessionStore

  init(_ store: any SessionStore) { self.store = store }

  var boot: UInt64 { store.boot }
  func open(as holder: String) throws(StoreError) -> UInt64 { try store.open(as: holder) }

  func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    store.claim(claims, then: answer)
  }

  func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) {
    store.commit(changes, survivesPowerCut: survivesPowerCut, then: answer)
  }

  func sessions(of owner: Credential, then answer: @escaping @Sendable (Result<[OwnedSession], StoreError>) -> Void) {
    store.sessions(of: owner, then: answer)
  }

  func look(_ looks: [StoreLook]) { store.look(looks) }
  func read(_ id: String) throws(StoreError) -> StoredSession? { try store.read(id) }
  func put(_ client: ClientRecord) throws(StoreError) { try store.put(client) }
  func renew(_ owner: Credential, as credential: Credential, at now: Int64) throws(StoreError) {
    try store.renew(owner, as: credential, at: now)
  }
  func endClients(at now: Int64) throws(StoreError) { try store.endClients(at: now) }
  func client(of credential: Credential) throws(StoreError) -> ClientRecord? { try store.client(of: credential) }
  func clients(with credentials: [Credential]) throws(StoreError) -> [ClientRecord] {
    try store.clients(with: credentials)
  }
  func ended(among credentials: [Credential]) throws(StoreError) -> [Credential] {
    try store.ended(among: credentials)
  }
  func clients(of user: String) throws(StoreError) -> [ClientRecord] { try store.clients(of: user) }

  func expire(by rule: ExpiryRule, limit: Int, isInMemory: (String) -> Bool) throws(StoreError) -> Expiry {
    try store.expire(by: rule, limit: limit, isInMemory: isInMemory)
  }

  func room(of limit: Int) throws(StoreError) -> StoreRoom { try store.room(of: limit) }
  func makeRoom(_ step: RoomStep, isInMemory: (String) -> Bool) throws(StoreError) -> RoomMade {
    try store.makeRoom(step, isInMemory: isInMemory)
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

/// A transaction that hands all calls on to another one. Its subclasses do harm at its commit.
class TransactionInFront: StoreTransaction {
  let transaction: any StoreTransaction

  init(_ transaction: any StoreTransaction) { self.transaction = transaction }

  func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    try transaction.run(statement, values)
  }

  func seal() throws(DatabaseFailure) { try transaction.seal() }
  func commit(_ change: StoreChange) -> CommitOutcome { transaction.commit(change) }
  func commit(telling topics: [String]) throws(DatabaseFailure) { try transaction.commit(telling: topics) }
  func rollBack() { transaction.rollBack() }
}
