// SPDX-License-Identifier: MIT
package import Storing
import Testing
package import ViewModels

/// An owner of sessions, as a server is one. It numbers its claims and its changes.
package struct Owner {
  package let store: any SessionStore
  package let boot: UInt64
  private var lastClaim: UInt64 = 0
  /// The numbers of the last changes, by session and claim.
  private var lastNumbers: [String: UInt64] = [:]

  package init(_ store: any SessionStore, as name: String = "test") throws {
    self.store = store
    boot = try store.open(as: name)
  }

  package mutating func newClaim() -> SessionClaim {
    lastClaim += 1
    return SessionClaim(boot: boot, number: lastClaim)
  }

  /// - Parameter isSuccessor: whether it builds on the change before it. Otherwise that may have been refused.
  package mutating func change(
    _ id: String, _ claim: SessionClaim, isNew: Bool = false, _ content: StoreChange.Content, isSuccessor: Bool = false
  ) -> StoreChange {
    let before = lastNumbers["\(id) \(claim)"] ?? 0
    lastNumbers["\(id) \(claim)"] = before + 1
    return StoreChange(id, claim, isNew: isNew, content, number: before + 1, since: isSuccessor ? before : 0)
  }

  /// Commits one change.
  package mutating func commit(
    _ id: String, _ claim: SessionClaim, isNew: Bool = false, _ content: StoreChange.Content,
    survivesPowerCut: Bool = false
  ) -> CommitOutcome? {
    store.commit([change(id, claim, isNew: isNew, content)], survivesPowerCut: survivesPowerCut).first
  }

  /// Commits a further revision of a session.
  package mutating func commit(_ record: SessionRecord, _ claim: SessionClaim) -> CommitOutcome? {
    commit(record.id, claim, .record(record))
  }

  /// Puts a new session into the store.
  @discardableResult
  package mutating func open(_ record: SessionRecord) -> SessionClaim {
    let claim = newClaim()
    #expect(commit(record.id, claim, isNew: true, .record(record)) == .durable)
    return claim
  }

  package mutating func claim(_ id: String) -> ClaimOutcome { store.claim(id, newClaim()) }
}

/// Two owners of one store.
package final class TwoOwners {
  package var first: Owner
  package var second: Owner
  /// The folder of the stores' file, which goes with its object.
  private let place: AnyObject?

  package init(_ stores: [any SessionStore], in place: AnyObject? = nil) throws {
    self.place = place
    first = try Owner(stores[0], as: "first")
    second = try Owner(stores[1], as: "second")
  }

  deinit { for owner in [first, second] { owner.store.close() } }
}

/// Calls that return the store's answers. The stores of these tests answer before the call returns.
extension SessionStore {
  package func commit(_ changes: [StoreChange], survivesPowerCut: Bool = false) -> [CommitOutcome] {
    nonisolated(unsafe) var outcomes: [CommitOutcome] = []
    commit(changes, survivesPowerCut: survivesPowerCut) { outcomes = $0 }
    #expect(outcomes.count == changes.count)
    return outcomes
  }

  package func claim(_ id: String, _ claim: SessionClaim) -> ClaimOutcome {
    nonisolated(unsafe) var outcome = ClaimOutcome.none
    self.claim([ClaimOffer(id, claim)]) { outcome = $0[0] }
    return outcome
  }

  package func sessions(of owner: Credential) throws -> [OwnedSession] {
    nonisolated(unsafe) var sessions: Result<[OwnedSession], StoreError> = .success([])
    self.sessions(of: owner) { sessions = $0 }
    return try sessions.get()
  }

  /// The stored sessions of a client, without those that cannot be read.
  package func stored(of client: String = "client") throws -> [StoredSession] {
    let owner = Credential(hashing: client)
    if let memory = self as? MemorySessions { return memory.stored(of: owner) }
    let store = try #require(self as? any OperatedStore)
    return try store.read(after: nil, limit: 1_000).compactMap { try? $0.session.get() }.filter { $0.owner == owner }
  }
}

extension CommitOutcome {
  package var kind: StoreError.Kind? {
    switch self {
    case .durable, .fenced, .behind: nil
    case .unknown(let error), .refused(let error): error.kind
    }
  }
}

extension ClaimOutcome {
  package var record: SessionRecord? { if case .held(let record, _) = self { record } else { nil } }

  package var claim: SessionClaim? { if case .held(_, let claim) = self { claim } else { nil } }

  package var whereabouts: Whereabouts? { if case .elsewhere(let place) = self { place } else { nil } }

  /// The error by which a record was put aside.
  package var damage: StoreError? { if case .setAside(let error) = self { error } else { nil } }

  package var failure: StoreError? { if case .failed(let error) = self { error } else { nil } }
}

package func record(
  _ id: String, _ revision: UInt64 = 1, of client: String = "client", bytes: Int = 40, used: Int64 = 1_000,
  wakesAt: Int64? = nil
) -> SessionRecord {
  var record = SessionRecord(
    id: id, model: "note", owner: Credential(hashing: client), opening: opening(id), revision: revision, schema: 3,
    state: Array("{\"revision\":\(revision)}".utf8) + Array(repeating: 0x20, count: bytes), keys: [1, 0, 0],
    lastUsed: used)
  record.wakesAt = wakesAt
  return record
}

extension SessionRecord {
  /// The record with parts of its state.
  ///
  /// - Parameter all: all parts of the state; by default those of the change.
  package func with(_ change: PartsChange, all: PartsChange? = nil) -> SessionRecord {
    var record = self
    record.parts = change
    let all = (all ?? change).put
    (record.partCount, record.partBytes) = (all.count, all.values.reduce(0) { $0 + $1.count })
    return record
  }
}

package func closed(
  _ id: String, of client: String = "client", _ closing: Closing? = nil, until: Int64 = 2_000
) -> ClosedSession {
  ClosedSession(
    id: id, model: "note", owner: Credential(hashing: client), opening: opening(id),
    closing: closing ?? .byClient(opening("closes" + id)), until: until)
}

private func opening(_ id: String) -> KeyedRequest? {
  IdempotencyKey("opens-\(id)").map { KeyedRequest(key: $0, digest: Digest(hashing: "a request")) }
}
