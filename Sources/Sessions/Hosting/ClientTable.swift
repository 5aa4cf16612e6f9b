// SPDX-License-Identifier: MIT

/// The clients: of each its sessions, and which requests with a key opened them. A value, without a lock.
struct ClientTable {
  private struct Client {
    /// Those that live, in memory or in the store.
    var living: Set<String> = []
    /// Those of them that are in memory.
    var inMemory = 0
    /// Closed ones that are remembered.
    var closed = 0
    /// By the key of the request that opened it: a session's id.
    var openings: [IdempotencyKey: (id: String, digest: Digest)] = [:]
    /// Whether all that the store has of the client is known.
    var isComplete = false
    /// The sessions that are being made: it is not forgotten meanwhile.
    var making = 0
    let use = ClientUse()
  }

  /// Whether there is no store, and so all that there is is known.
  private let knowsAll: Bool
  private var clients: [Credential: Client] = [:]

  /// - Parameter isStored: whether there may be more in a store than is known.
  init(isStored: Bool) { knowsAll = !isStored }

  func knows(_ credential: Credential) -> Bool { clients[credential] != nil }

  /// Whether nothing has to be looked up about a client.
  func knowsAll(of credential: Credential) -> Bool { knowsAll || clients[credential]?.isComplete == true }

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

  func living(of credential: Credential) -> Int { clients[credential]?.living.count ?? 0 }

  func opened(by key: IdempotencyKey, of credential: Credential) -> (id: String, digest: Digest)? {
    clients[credential]?.openings[key]
  }

  /// A session is in memory: a new one, or one that was read.
  mutating func entered(
    _ id: String, of credential: Credential, _ opening: KeyedRequest?, isNew: Bool
  ) {
    var client = clients.removeValue(forKey: credential) ?? Client()
    // A client that comes with its first session has no others.
    if isNew, client.living.isEmpty, client.closed == 0 { client.isComplete = true }
    client.living.insert(id)
    client.inMemory += 1
    if let opening { client.openings[opening.key] = (id, opening.digest) }
    clients[credential] = client
  }

  /// A session is not in memory any more, but lives.
  mutating func left(_ id: String, of credential: Credential) {
    clients[credential]?.inMemory -= 1
    forgetIfAway(credential)
  }

  /// A session was closed, and is remembered.
  mutating func closed(_ id: String, of credential: Credential, wasInMemory: Bool = true) {
    clients[credential, default: Client()].living.remove(id)
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
  mutating func met(_ credential: Credential, _ living: [(id: String, opening: KeyedRequest?)]) {
    if living.isEmpty, clients[credential] == nil { return }
    var client = clients.removeValue(forKey: credential) ?? Client()
    client.isComplete = true
    // One that is on its way into the store is known already.
    if client.inMemory == 0 { client.living = [] }
    for (id, opening) in living {
      client.living.insert(id)
      if let opening { client.openings[opening.key] = (id, opening.digest) }
    }
    clients[credential] = client
  }

  private mutating func forget(_ opening: KeyedRequest?, of credential: Credential) {
    if let opening { clients[credential]?.openings[opening.key] = nil }
    forgetIfAway(credential)
  }

  /// Forgets a client of which nothing is in memory: the store knows it.
  mutating func forgetIfAway(_ credential: Credential) {
    guard let client = clients[credential], client.inMemory <= 0, client.closed <= 0, client.making <= 0 else { return }
    clients[credential] = nil
  }
}
