// SPDX-License-Identifier: MIT
import Sessions
import Testing

/// Calls that return the store's answers. The stores of these tests answer before the call returns.
extension SessionStore {
  func commit(_ changes: StoreChange..., survivesPowerCut: Bool = false) -> [CommitOutcome] {
    commit(changes, survivesPowerCut: survivesPowerCut)
  }

  func commit(_ changes: [StoreChange], survivesPowerCut: Bool = false) -> [CommitOutcome] {
    nonisolated(unsafe) var outcomes: [CommitOutcome] = []
    commit(changes, survivesPowerCut: survivesPowerCut) { outcomes = $0 }
    #expect(outcomes.count == changes.count)
    return outcomes
  }

  func claim(_ id: String, _ claim: SessionClaim) -> ClaimOutcome {
    nonisolated(unsafe) var outcome = ClaimOutcome.none
    self.claim([ClaimOffer(id, claim)]) { outcome = $0[0] }
    return outcome
  }

  func sessions(of owner: Credential) throws -> [OwnedSession] {
    nonisolated(unsafe) var sessions: Result<[OwnedSession], StoreError> = .success([])
    self.sessions(of: owner) { sessions = $0 }
    return try sessions.get()
  }

  /// The stored sessions of a client, without those that cannot be read.
  func stored(of owner: Credential) throws -> [StoredSession] {
    if let memory = self as? MemorySessions { return memory.stored(of: owner) }
    let store = try #require(self as? any OperatedStore)
    return try store.read(after: nil, limit: 1_000).compactMap { try? $0.session.get() }.filter { $0.owner == owner }
  }
}

extension CommitOutcome {
  var kind: StoreError.Kind? {
    switch self {
    case .durable, .fenced: nil
    case .unknown(let error), .refused(let error): error.kind
    }
  }
}

extension ClaimOutcome {
  var record: SessionRecord? { if case .held(let record, _) = self { record } else { nil } }

  var claim: SessionClaim? { if case .held(_, let claim) = self { claim } else { nil } }
}

/// An owner of sessions, as a server is one. It numbers its claims and its changes.
struct Owner {
  let store: any SessionStore
  let boot: UInt64
  private(set) var lastClaim: UInt64 = 0
  private(set) var lastNumber: UInt64 = 0

  init(_ store: any SessionStore, as name: String = "test") throws {
    self.store = store
    boot = try store.open(as: name)
  }

  mutating func newClaim() -> SessionClaim {
    lastClaim += 1
    return SessionClaim(boot: boot, number: lastClaim)
  }

  mutating func change(
    _ id: String, _ claim: SessionClaim, isNew: Bool = false, _ content: StoreChange.Content
  ) -> StoreChange {
    lastNumber += 1
    return StoreChange(id, claim, isNew: isNew, content, number: lastNumber)
  }
}

func record(_ id: String, _ revision: UInt64 = 1, of client: String = "client", bytes: Int = 40, used: Int64 = 1_000)
  -> SessionRecord
{
  SessionRecord(
    id: id, model: "note", owner: Credential(hashing: client), opening: opening(id), revision: revision, schema: 3,
    state: Array("{\"revision\":\(revision)}".utf8) + Array(repeating: 0x20, count: bytes), keys: [1, 0, 0],
    lastUsed: used)
}

func closed(
  _ id: String, of client: String = "client", _ closing: Closing? = nil, until: Int64 = 2_000
) -> ClosedSession {
  ClosedSession(
    id: id, model: "note", owner: Credential(hashing: client), opening: opening(id),
    closing: closing ?? .byClient(opening("closes" + id)), until: until)
}

private func opening(_ id: String) -> KeyedRequest? {
  IdempotencyKey("opens-\(id)").map {
    KeyedRequest(key: $0, digest: Digest(method: "POST", path: ["sessions", "note"], body: [], key: nil))
  }
}
