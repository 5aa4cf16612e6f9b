// SPDX-License-Identifier: MIT
package import Storing

/// A store that hands each call on to one in memory, if it does not answer by itself.
package protocol BackedStore: SessionStore {
  var memory: MemorySessions { get }
}

extension BackedStore {
  package func open(as holder: String) -> UInt64 { memory.open(as: holder) }
  package var boot: UInt64 { memory.boot }
  package func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    memory.claim(claims, then: answer)
  }
  package func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) {
    memory.commit(changes, survivesPowerCut: survivesPowerCut, then: answer)
  }
  package func read(_ id: String) -> StoredSession? { memory.read(id) }
  package func sessions(
    of owner: Credential, then answer: @escaping @Sendable (Result<[OwnedSession], StoreError>) -> Void
  ) {
    memory.sessions(of: owner, then: answer)
  }
  package func put(_ client: ClientRecord) { memory.put(client) }
  package func renew(_ owner: Credential, as credential: Credential, at now: Int64) {
    memory.renew(owner, as: credential, at: now)
  }
  package func endClients(at now: Int64) { memory.endClients(at: now) }
  package func client(of credential: Credential) -> ClientRecord? { memory.client(of: credential) }
  package func clients(of user: String) -> [ClientRecord] { memory.clients(of: user) }
  package func expire(by rule: ExpiryRule, limit: Int, isInMemory: (String) -> Bool) -> Expiry {
    memory.expire(by: rule, limit: limit, isInMemory: isInMemory)
  }
  package func room(of limit: Int) -> StoreRoom { memory.room(of: limit) }
  package func makeRoom(_ step: RoomStep, isInMemory: (String) -> Bool) -> RoomMade {
    memory.makeRoom(step, isInMemory: isInMemory)
  }
  package func due(by time: Int64, after last: DueSession?, limit: Int) -> [DueSession] {
    memory.due(by: time, after: last, limit: limit)
  }
  package func list(after id: String?, limit: Int) -> [StoredSummary] { memory.list(after: id, limit: limit) }
  package func count() -> StoreCount { memory.count() }
  package func close() {}
}
