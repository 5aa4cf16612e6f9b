// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// The clients' present credentials and users.
extension ClientTable {
  /// A client that has signed in, now or earlier. Since then, its credential differs from the
  /// one that it came with.
  final class SignIn: Sendable {
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

  /// The client that has a credential now, and what it has become by signing in.
  func client(of credential: Credential) -> FoundClient? {
    let owner = owners[credential] ?? credential
    // Looked up by its index, so that the client itself is not copied.
    guard let index = clients.index(forKey: owner) else { return nil }
    let signIn = clients.values[index].signIn
    if let signIn, signIn.credential != credential { return nil }
    return FoundClient(owner, signIn, clients.values[index].use)
  }

  func signIn(of owner: Credential) -> SignIn? {
    clients.index(forKey: owner).flatMap { clients.values[$0].signIn }
  }

  /// The clients in memory of the user whose own sessions have this owner.
  func clients(ofOwn owner: Credential) -> [Credential] { Array(ofUsers[owner] ?? []) }

  /// The user whose own sessions have this owner, if a client of that user is in memory.
  func user(ofOwn owner: Credential) -> User? { ofUsers[owner]?.first.flatMap { clients[$0]?.signIn?.user } }

  /// Signs a client in, or out, or gives it with `nil` the credential that it came with.
  ///
  /// - Returns: what it was before.
  @discardableResult
  mutating func setSignIn(_ owner: Credential, to signIn: SignIn?) -> SignIn? {
    let before = clients[owner]?.signIn
    if let old = before?.credential { owners[old] = nil }
    if let new = signIn?.credential { owners[new] = owner }
    forgetUser(of: owner)
    if let own = signIn?.userOwner { ofUsers[own, default: []].insert(owner) }
    clients[owner, default: Client()].signIn = signIn
    return before
  }

  /// Takes a client out of its user's list of clients.
  mutating func forgetUser(of owner: Credential) {
    guard let own = signIn(of: owner)?.userOwner else { return }
    ofUsers[own]?.remove(owner)
    if ofUsers[own]?.isEmpty == true { ofUsers[own] = nil }
  }
}
