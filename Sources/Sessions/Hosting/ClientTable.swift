// SPDX-License-Identifier: MIT

/// The clients: of each its sessions, and which requests with a key opened them. A value, without a lock.
struct ClientTable {
  struct Client {
    /// The sessions that live, in memory or in the store.
    var living: Set<String> = []
    /// The living sessions that are in the store alone, or at other servers.
    var away: [Away] = []
    /// The number of living sessions that are in memory.
    var inMemory = 0
    /// Closed ones that are remembered.
    var closed = 0
    /// A session's id, by the key of the request that opened it.
    var opened: [IdempotencyKey: (id: String, digest: Digest)] = [:]
    /// Whether all that the store has of the client is known.
    var isComplete = false
    /// The sessions that are being made: it is not forgotten meanwhile.
    var making = 0
    /// The sessions that it may still open.
    var openings: TokenBucket?
    let use = ClientUse()
    /// The identity that signing in has given it; `nil` for a client that never has.
    var identity: Identity?
    /// The use of that, for a client that has one, or had.
    var presence: Presence?
  }

  /// A living session that is not in memory here.
  struct Away {
    let id: String
    /// The second of its last use, as far as that is known, by the table's clock; `Int.min` if its client has said that it leaves.
    let usedAt: Int
  }

  /// Whether there is no store, and so all that there is is known.
  let knowsAll: Bool
  var clients: [Credential: Client] = [:]
  /// The clients whose credential is not the one that they came with, by their present credentials.
  var owners: [Credential: Credential] = [:]
  /// The clients that have a user, by the owner of the sessions that are the user's own.
  var ofUsers: [Credential: Set<Credential>] = [:]
  /// The clients that have an identity, each once: some of them are looked at now and then, one after the other.
  var identified: [Credential] = []
  /// The next one to look at.
  var nextLook = 0
  /// How many clients with an identity may be known without a session of their own in memory.
  let mostIdentified: Int

  /// Whether requests may prove who their users are; if not, a client whose requests have to is as one that nobody knows.
  let takesProofs: Bool

  /// - Parameters:
  ///   - isStored: whether there may be more in a store than is known.
  ///   - mostIdentified: how many clients with an identity are known at most, beside those that have a session in memory.
  init(isStored: Bool, mostIdentified: Int = 50_000, takesProofs: Bool = true) {
    knowsAll = !isStored
    self.takesProofs = takesProofs
    self.mostIdentified = mostIdentified
  }

  func knows(_ credential: Credential) -> Bool { owner(of: credential) != nil }

  /// Whether nothing has to be looked up about a client.
  func knowsAll(of credential: Credential) -> Bool {
    knowsAll || clients[owners[credential] ?? credential]?.isComplete == true
  }

  /// The bytes that a client's sessions take.
  func bytes(of credential: Credential) -> Int { clients[credential]?.use.bytes ?? 0 }

  /// A session is about to be made, or read: until it is ``made(for:)``, its client is not forgotten.
  ///
  /// - Returns: the use that the client makes, the same for all its sessions.
  mutating func making(for credential: Credential) -> ClientUse {
    var client = clients.removeValue(forKey: credential) ?? Client()
    client.making += 1
    clients[credential] = client
    return client.use
  }

  /// The session was made, or could not be.
  mutating func made(for credential: Credential) {
    clients[credential]?.making -= 1
    // One that has sessions in the store is known until one of them was in memory.
    if clients[credential]?.living.isEmpty == true { forgetIfAway(credential) }
  }

  func living(of credential: Credential) -> Set<String> { clients[credential]?.living ?? [] }

  /// A client's sessions that are in the store alone, or at other servers.
  func away(of credential: Credential) -> [Away] { clients[credential]?.away ?? [] }

  func opened(by key: IdempotencyKey, of credential: Credential) -> (id: String, digest: Digest)? {
    clients[credential]?.opened[key]
  }

  /// The time until a client may open another session; `nil` if it may.
  func wait(of credential: Credential, _ rate: Rate, now: ContinuousClock.Instant) -> Duration? {
    var bucket = clients[credential]?.openings
    return bucket?.take(of: rate, now: now)
  }

  /// Counts a session that a client opens.
  mutating func countOpening(of credential: Credential, _ rate: Rate, now: ContinuousClock.Instant) {
    var bucket = clients[credential]?.openings ?? TokenBucket(now: now)
    _ = bucket.take(of: rate, now: now)
    clients[credential]?.openings = bucket
  }

  /// A session is in memory: a new one, or one that was read.
  mutating func entered(
    _ id: String, of credential: Credential, _ opening: KeyedRequest?, isNew: Bool
  ) {
    var client = clients.removeValue(forKey: credential) ?? Client()
    // A client that comes with its first session has no others.
    if isNew, client.living.isEmpty, client.closed == 0 { client.isComplete = true }
    client.living.insert(id)
    client.away.removeAll { $0.id == id }
    client.inMemory += 1
    if let opening { client.opened[opening.key] = (id, opening.digest) }
    clients[credential] = client
  }

  /// A session is not in memory any more, but lives.
  ///
  /// - Parameter usedAt: as ``Away/usedAt``.
  mutating func left(_ id: String, of credential: Credential, usedAt: Int) {
    clients[credential]?.inMemory -= 1
    if clients[credential]?.living.contains(id) == true {
      clients[credential]?.away.append(Away(id: id, usedAt: usedAt))
    }
    forgetIfAway(credential)
  }

  /// Whether sessions of a client that are to end for newer ones are still in memory: their ends are not stored yet.
  func awaitsEnds(of credential: Credential) -> Bool {
    clients[credential].map { $0.inMemory > $0.living.count - $0.away.count } ?? false
  }

  /// A session is about to be closed, for another one in its place: it counts no more.
  mutating func superseded(_ id: String, of credential: Credential) {
    clients[credential]?.living.remove(id)
    clients[credential]?.away.removeAll { $0.id == id }
  }

  /// A session that was in the store alone was removed from it.
  mutating func removed(_ id: String, of credential: Credential) {
    superseded(id, of: credential)
    if let key = clients[credential]?.opened.first(where: { $0.value.id == id })?.key {
      clients[credential]?.opened[key] = nil
    }
  }

  /// A session was closed, and is remembered.
  mutating func closed(_ id: String, of credential: Credential, wasInMemory: Bool = true) {
    clients[credential, default: Client()].living.remove(id)
    clients[credential]?.away.removeAll { $0.id == id }
    if wasInMemory { clients[credential]?.inMemory -= 1 }
    clients[credential]?.closed += 1
  }

  /// A closed session is not remembered any more; a client that has no other is not either.
  mutating func forgotClosed(of credential: Credential, _ opening: KeyedRequest?) {
    clients[credential]?.closed -= 1
    forget(opening, of: credential)
  }

  /// A session ended by itself: it is as if it had never been.
  mutating func expired(_ id: String, of credential: Credential, _ opening: KeyedRequest?) {
    clients[credential]?.living.remove(id)
    clients[credential]?.inMemory -= 1
    forget(opening, of: credential)
  }

  /// The store's part of a client.
  mutating func met(
    _ credential: Credential, keepsEmpty: Bool = false, _ living: [(session: Away, opening: KeyedRequest?)]
  ) {
    if living.isEmpty, clients[credential] == nil, !keepsEmpty { return }
    var client = clients.removeValue(forKey: credential) ?? Client()
    client.isComplete = true
    // One that is on its way into the store is known already; those that were in the store alone may be there no more.
    if client.inMemory == 0 { client.living = [] } else { client.living.subtract(client.away.map(\.id)) }
    client.away = []
    for (session, opening) in living {
      if client.living.insert(session.id).inserted { client.away.append(session) }
      if let opening { client.opened[opening.key] = (session.id, opening.digest) }
    }
    clients[credential] = client
  }

  private mutating func forget(_ opening: KeyedRequest?, of credential: Credential) {
    if let opening { clients[credential]?.opened[opening.key] = nil }
    forgetIfAway(credential)
  }

  /// Forgets a client of which nothing is in memory, where the store knows it.
  ///
  /// - Parameter isUnused: whether it has not come for long: then it is forgotten where there is no store too.
  mutating func forgetIfAway(_ credential: Credential, isUnused: Bool = false) {
    guard let client = clients[credential], client.inMemory <= 0, client.closed <= 0, client.making <= 0 else { return }
    // It may use sessions that are not its own: those of its user.
    if knowsAll, client.identity != nil, !isUnused { return }
    forgetUser(of: credential)
    clients[credential] = nil
    if let present = client.identity?.credential { owners[present] = nil }
  }
}
