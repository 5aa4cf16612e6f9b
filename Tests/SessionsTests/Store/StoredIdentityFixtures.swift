// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
import ViewModels

@testable import Sessions

/// A view model that signs in every user that a client names.
final class Door: ViewModel {
  struct Params: Codable, JSONRepresentable { var door: Int }

  let context: SessionContext
  lazy var name = Computed(self) { try $0.context.user.get()?.name ?? "nobody" }
  lazy var language = Computed(self) { try $0.context.languages.get().first ?? "" }
  lazy var number = Computed(self) { $0.context.params(Params.self).door }
  let notes = Observable([String]())

  init(_ context: SessionContext) { self.context = context }

  func enter(_ id: String) throws {
    try context.signIn(User(id: id, name: "Person \(id)", roles: ["a", "b"], claims: ["since": 1999]))
  }
  func leaveEverywhere() throws { try context.signOut(isEverywhere: true) }
  func add(_ note: String) { notes.value.append(note) }

  static let surface = Surface<Door>(
    "door", .params(Params.self), .value("name", \.name), .value("language", \.language), .value("number", \.number),
    .value("notes", \.notes).visible(to: .role("b")), .action("enter", Door.enter),
    .action("leaveEverywhere", Door.leaveEverywhere), .action("add", Door.add))
}

/// A store in memory that refuses clients, endings or lookups while a test says so.
final class RefusingStore: SessionStore {
  let memory = MemorySessions()
  let refuses = Locked(false)
  let refusesEndings = Locked(false)
  let refusesLookups = Locked(false)

  func open(as holder: String) -> UInt64 { memory.open(as: holder) }
  var boot: UInt64 { memory.boot }
  func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    memory.claim(claims, then: answer)
  }
  func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) {
    memory.commit(changes, survivesPowerCut: survivesPowerCut, then: answer)
  }
  func read(_ id: String) -> StoredSession? { memory.read(id) }
  func sessions(of owner: Credential, then answer: @escaping @Sendable (Result<[OwnedSession], StoreError>) -> Void) {
    memory.sessions(of: owner, then: answer)
  }
  func put(_ client: ClientRecord) throws(StoreError) {
    if refuses.withLock({ $0 }) || client.credential == nil && refusesEndings.withLock({ $0 }) {
      throw StoreError(.unavailable, "it is told to refuse")
    }
    memory.put(client)
  }
  func renew(_ owner: Credential, as credential: Credential, at now: Int64) {
    memory.renew(owner, as: credential, at: now)
  }
  func endClients(at now: Int64) { memory.endClients(at: now) }
  func client(of credential: Credential) throws(StoreError) -> ClientRecord? {
    if refusesLookups.withLock({ $0 }) { throw StoreError(.unavailable, "it is told to refuse") }
    return memory.client(of: credential)
  }
  func clients(of user: String) -> [ClientRecord] { memory.clients(of: user) }
  func expire(now: Int64, unusedSince: Int64, limit: Int, isInMemory: (String) -> Bool) -> Expiry {
    memory.expire(now: now, unusedSince: unusedSince, limit: limit, isInMemory: isInMemory)
  }
  func due(by time: Int64, after last: DueSession?, limit: Int) -> [DueSession] {
    memory.due(by: time, after: last, limit: limit)
  }
  func list(after id: String?, limit: Int) -> [StoredSummary] { memory.list(after: id, limit: limit) }
  func count() -> StoreCount { memory.count() }
  func close() {}
}
