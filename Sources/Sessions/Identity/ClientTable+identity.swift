// SPDX-License-Identifier: MIT
import ViewModels

/// The clients' present credentials and users.
extension ClientTable {
  /// The identity of a client that has signed in, now or earlier. Since then, its credential differs from the
  /// one that it came with.
  struct Identity: Sendable {
    /// Its present credential; `nil` for a client that was signed out for good.
    let credential: Credential?
    let user: User?
    /// Whether each of its requests has to prove the user, by way of a proxy or of the app.
    let isByRequests: Bool
    /// The owner of the sessions that are the user's own.
    let userOwner: Credential?

    init(_ credential: Credential?, _ user: User?, isByRequests: Bool = false) {
      self.isByRequests = isByRequests
      self.credential = credential
      self.user = user
      userOwner = user.map { .ofUser($0.id) }
    }
  }

  /// The client that has a credential now.
  func owner(of credential: Credential) -> Credential? { client(of: credential)?.owner }

  /// The client that has a credential now, and its identity.
  func client(of credential: Credential) -> (owner: Credential, identity: Identity?)? {
    if let owner = owners[credential] { return (owner, identity(of: owner)) }
    // Looked up by its index, so that the client itself is not copied.
    guard let index = clients.index(forKey: credential), clients.values[index].identity == nil else { return nil }
    return (credential, nil)
  }

  func identity(of owner: Credential) -> Identity? {
    clients.index(forKey: owner).flatMap { clients.values[$0].identity }
  }

  /// The clients in memory that a user has signed in with.
  func clients(of user: String) -> [Credential] { Array(ofUsers[.ofUser(user)] ?? []) }

  /// The user whose own sessions have this owner, if a client of that user is in memory.
  func user(ofOwn owner: Credential) -> User? { ofUsers[owner]?.first.flatMap { clients[$0]?.identity?.user } }

  /// Gives a client another identity, or with `nil` the credential that it came with.
  ///
  /// - Returns: the identity before.
  @discardableResult
  mutating func identify(_ owner: Credential, as identity: Identity?) -> Identity? {
    let before = clients[owner]?.identity
    if let old = before?.credential { owners[old] = nil }
    if let new = identity?.credential { owners[new] = owner }
    forgetUser(of: owner)
    if let own = identity?.userOwner { ofUsers[own, default: []].insert(owner) }
    clients[owner, default: Client()].identity = identity
    return before
  }

  /// Takes a client out of its user's list of clients.
  mutating func forgetUser(of owner: Credential) {
    guard let own = identity(of: owner)?.userOwner else { return }
    ofUsers[own]?.remove(owner)
    if ofUsers[own]?.isEmpty == true { ofUsers[own] = nil }
  }
}
