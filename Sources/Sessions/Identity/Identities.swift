// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
import ViewModels

/// The clients' credentials and users: what they become, here and in the store.
///
/// Decided under the table's lock; sessions are told after it, each in its own turn.
final class Identities: Sendable {
  private let table: SessionTable
  private let keeper: SessionKeeper?
  private let randomness: Randomness
  private let moment: @Sendable () -> Moment

  init(
    _ table: SessionTable, _ keeper: SessionKeeper?, _ randomness: Randomness, moment: @escaping @Sendable () -> Moment
  ) {
    (self.table, self.keeper, self.randomness, self.moment) = (table, keeper, randomness, moment)
  }

  /// Gives a client a new credential and another user; the credential before ends with this.
  ///
  /// - Parameters:
  ///   - session: the one that asks for it, which is in its turn; `nil` for none.
  ///   - later: takes what is to be done after that turn: the other sessions learn of it.
  func grant(
    _ user: User?, to requester: Requester, in session: Session?, later: (@escaping @Sendable () -> Void) -> Void
  ) -> Grant {
    let grant = Grant(newKey: requester.keyStart + randomness.base64URL(bytes: 32))
    let credential = Credential(hashing: grant.newKey)
    let now = moment()
    let (others, lost) = table.rotate(requester.client, to: credential, user, now: now.instant)
    let record = ClientRecord(
      owner: requester.client, credential: credential, user: user, changed: now.milliseconds / 1_000)
    let sessions = others.filter { $0 !== session }
    later {
      for other in sessions { other.submit { $0.identityChanged(to: user) } }
      for other in lost { other.submit { $0.dismiss(requester.client) } }
    }
    put(record) { failure in
      // The things that sessions have shown by then cannot be taken back, and nobody else may have it: the client begins anew.
      if failure != nil { self.endSessions(of: requester.client, nil) }
      grant.finish(failure)
    }
    return grant
  }

  /// Makes a user that a request proves a client's.
  ///
  /// - Returns: whether the client is this user's.
  func bind(_ client: Credential, to user: User) -> Bool {
    let now = moment()
    let (isUsers, isNew, identity, sessions) = table.bind(client, to: user, now: now.instant)
    guard let identity else { return isUsers }
    // A client that was nobody's is the user's now; the user's own sessions were before.
    for session in sessions {
      session.submit { session in
        if isNew, session.owner == client { session.identityChanged(to: user) } else { session.become(user) }
      }
    }
    // Nobody waits for it: a session of this client's is stored after it.
    put(
      ClientRecord(
        owner: client, credential: identity.credential, user: user, isByRequests: true,
        changed: now.milliseconds / 1_000)
    ) { failure in
      if failure != nil { self.endSessions(of: client, nil) }
    }
    return true
  }

  /// Signs a user out of all clients but one: their credentials and their sessions end.
  ///
  /// - Parameter done: told when it is stored.
  func signOut(_ user: String, butOf kept: Credential?, then done: @escaping @Sendable (SessionError?) -> Void) {
    guard let keeper else {
      for client in table.clients(of: user) where client != kept { end(client, nil, of: user) }
      return done(nil)
    }
    let now = moment().milliseconds / 1_000
    keeper.committer.withStore { store throws(StoreError) in
      let clients = try store.clients(of: user).filter { $0.owner != kept && $0.credential != nil }
      for client in clients {
        try store.put(ClientRecord(owner: client.owner, credential: nil, user: nil, changed: now))
      }
      return clients
    } then: { result in
      switch result {
      case .failure(let error): done(SessionError(error))
      case .success(let stored):
        for client in stored { self.end(client.owner, client.credential, of: user) }
        // A sign-in may be on its way into the store: this comes after it.
        for client in self.table.clients(of: user) where client != kept {
          self.end(client, nil, of: user)
          self.put(ClientRecord(owner: client, credential: nil, user: nil, changed: now)) { _ in }
        }
        done(nil)
      }
    }
  }

  /// Ends a client: its credential, its sessions, and its waits in sessions of the user's.
  ///
  /// - Parameter credential: its present one, as the store has it.
  private func end(_ client: Credential, _ credential: Credential?, of user: String) {
    endSessions(of: client, credential)
    for session in table.sessions(of: .ofUser(user)) { session.submit { $0.dismiss(client) } }
  }

  private func endSessions(of client: Credential, _ credential: Credential?) {
    for session in table.end(client, credential, now: moment().instant) {
      session.submit { [table] isolated in
        isolated.end(.signedOut)
        table.remove(session)
      }
    }
  }

  /// Before any session is committed that shows what comes of it.
  private func put(_ record: ClientRecord, then done: @escaping @Sendable (SessionError?) -> Void) {
    guard let keeper else { return done(nil) }
    keeper.committer.withStoreFirst { store throws(StoreError) in
      try store.put(record)
    } then: {
      done($0.map { SessionError($0) })
    }
  }
}

extension Digest {
  /// The owner of the sessions that are a user's own.
  static func ofUser(_ id: String) -> Credential { Credential(hashing: "user\u{0}\(id)") }
}

extension KeyedRequest {
  /// The request that opens the one session which a user has of a view model: the same for all clients of the user.
  static func ofUser(_ model: String) -> KeyedRequest? {
    IdempotencyKey("user:\(model)").map { KeyedRequest(key: $0, digest: Digest(hashing: model)) }
  }
}
