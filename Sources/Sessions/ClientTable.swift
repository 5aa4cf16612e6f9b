// SPDX-License-Identifier: MIT

/// What is known of each client: how many sessions it has, and which requests with a key opened them. A value, without a
/// lock.
struct ClientTable {
  private struct Client {
    var living = 0
    /// Living sessions and closed ones that are remembered.
    var known = 0
    /// By the key of the request that opened it: a session's id.
    var openings: [IdempotencyKey: (id: String, digest: RequestDigest)] = [:]
  }

  private var clients: [Credential: Client] = [:]

  func knows(_ credential: Credential) -> Bool { clients[credential] != nil }
  func living(of credential: Credential) -> Int { clients[credential]?.living ?? 0 }

  func opened(by key: IdempotencyKey, of credential: Credential) -> (id: String, digest: RequestDigest)? {
    clients[credential]?.openings[key]
  }

  mutating func opened(_ id: String, of credential: Credential, _ opening: KeyedRequest?) {
    clients[credential, default: Client()].living += 1
    clients[credential]?.known += 1
    if let opening { clients[credential]?.openings[opening.key] = (id, opening.digest) }
  }

  /// One of a client's sessions does not live any more; it is known still.
  mutating func closed(of credential: Credential) { clients[credential]?.living -= 1 }

  /// One of a client's sessions that does not live is not known any more; a client that has no other is not either.
  mutating func forgot(of credential: Credential, _ opening: KeyedRequest?) {
    guard var client = clients.removeValue(forKey: credential) else { return }
    client.known -= 1
    if let opening { client.openings[opening.key] = nil }
    if client.known > 0 { clients[credential] = client }
  }
}
