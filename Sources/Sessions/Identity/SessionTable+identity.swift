// SPDX-License-Identifier: MIT
import Locking
import Synchronization
import ViewModels

/// The identities of the clients, under the table's lock.
extension SessionTable {
  /// The client that has a credential now, and its identity.
  func client(of credential: Credential) -> (owner: Credential, identity: ClientTable.Identity?)? {
    state.withLock { $0.client(of: credential) }
  }

  /// A session that a client wants, the client, and the number of the session's identity: whoever finds it by a credential that
  /// ends later has the number from before.
  func find(
    _ id: String, as credential: Credential?
  ) -> (listing: Listing, client: (owner: Credential, identity: ClientTable.Identity?)?, identityNumber: UInt32?) {
    state.withLock { state in
      let client = credential.flatMap { state.client(of: $0) }
      let listing = Self.find(id, in: &state)
      guard case .living(let session) = listing else { return (listing, client, nil) }
      return (listing, client, session.identityNumber.load(ordering: .relaxed))
    }
  }

  func user(of owner: Credential) -> User? { state.withLock { $0.clients.identity(of: owner)?.user } }

  /// The user whose own sessions have this owner: as the client knows it that asks, or else another one of the user's.
  func user(ofOwn owner: Credential, for client: Credential?) -> User? {
    state.withLock { state in
      let identity = client.flatMap { state.clients.identity(of: $0) }
      return identity?.userOwner == owner ? identity?.user : state.clients.user(ofOwn: owner)
    }
  }

  func clients(of user: String) -> [Credential] { state.withLock { $0.clients.clients(of: user) } }

  /// The reason for which a credential has ended of late.
  func ending(of credential: Credential, now: ContinuousClock.Instant) -> EndedCredentials.Reason? {
    state.withLock { $0.ended[credential, now] }
  }

  /// The sessions of an owner that are in memory.
  func sessions(of owner: Credential) -> [Session] { state.withLock { $0.sessions(of: owner) } }

  /// Gives a client another credential and another user.
  ///
  /// - Returns: the sessions that have to learn of it, and those of the user before, which it cannot reach any more.
  func rotate(
    _ owner: Credential, to credential: Credential, _ user: User?, now: ContinuousClock.Instant
  ) -> (sessions: [Session], lost: [Session]) {
    let identity = ClientTable.Identity(credential, user)
    return state.withLock { state in
      let before = state.clients.identify(owner, as: identity)
      state.ended.add(before?.credential ?? owner, .replaced, now: now)
      state.clients.noteIdentified(owner, at: state.wheel.position)
      let own = state.sessions(of: owner)
      let lost = before?.userOwner == identity.userOwner ? nil : before?.userOwner
      let left = lost.map { state.sessions(of: $0) } ?? []
      Self.renumber(own + left)
      return (own + (identity.userOwner.map { state.sessions(of: $0) } ?? []), left)
    }
  }

  /// Makes a user that a request proves a client's.
  ///
  /// - Returns: whether it is one of this user's, or of nobody's before; whether it was nobody's; its identity, where that is
  ///   another now; and the sessions that have to learn of it.
  func bind(
    _ owner: Credential, to user: User, now: ContinuousClock.Instant
  ) -> (isUsers: Bool, isNew: Bool, identity: ClientTable.Identity?, sessions: [Session]) {
    state.withLock { state in
      let before = state.clients.identity(of: owner)
      if let known = before?.user, !known.id.utf8.elementsEqual(user.id.utf8) { return (false, false, nil, []) }
      if before?.user == user, before?.isByRequests == true { return (true, false, nil, []) }
      state.clients.noteIdentified(owner, at: state.wheel.position)
      let identity = ClientTable.Identity(before.map(\.credential) ?? owner, user, isByRequests: true)
      state.clients.identify(owner, as: identity)
      let own = state.sessions(of: owner)
      let isNew = before?.user == nil
      if isNew { Self.renumber(own) }
      return (true, isNew, identity, own + (identity.userOwner.map { state.sessions(of: $0) } ?? []))
    }
  }

  /// Has requests that found the sessions before this handled anew.
  private static func renumber(_ sessions: [Session]) {
    for session in sessions { session.identityNumber.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Ends a client's credential.
  ///
  /// - Parameter stored: its present one as the store has it, which may not be in memory.
  /// - Returns: its sessions, which end.
  func end(_ owner: Credential, _ stored: Credential?, now: ContinuousClock.Instant) -> [Session] {
    state.withLock { state in
      let before = state.clients.identity(of: owner)
      if let old = before?.credential ?? stored { state.ended.add(old, .signedOut, now: now) }
      state.clients.noteIdentified(owner, at: state.wheel.position)
      state.clients.identify(owner, as: .init(nil, nil))
      let sessions = state.sessions(of: owner)
      // Its requests in the user's own sessions are over as well; those of the user's other clients come again.
      Self.renumber(sessions + (before?.userOwner.map { state.sessions(of: $0) } ?? []))
      return sessions
    }
  }

  /// Takes note of a client as the store has it.
  ///
  /// - Returns: the owner of its sessions; `nil` if the credential has ended.
  func met(_ record: ClientRecord?, by credential: Credential, now: Moment) -> Credential? {
    guard let record else { return credential }
    learn(record, now: now)
    guard record.credential == credential else {
      state.withLock { $0.ended.add(credential, record.credential == nil ? .signedOut : .replaced, now: now.instant) }
      return nil
    }
    return record.owner
  }

  /// Takes note of a client's identity as the store has it. What is known here may be newer.
  func learn(_ record: ClientRecord, now: Moment) {
    state.withLock { state in
      if state.clients.identity(of: record.owner) != nil { return }
      let second = state.wheel.position
      let age = max(0, now.milliseconds / 1_000 - record.changed)
      state.clients.noteIdentified(record.owner, at: second, storedUse: second - Int(clamping: age))
      state.clients.identify(
        record.owner, as: .init(record.credential, record.user, isByRequests: record.isByRequests))
    }
  }
}

extension SessionTable {
  /// Looks at some of the clients with an identity, and forgets those that nobody has used for long.
  ///
  /// - Parameter interval: the time of use after which the store is to learn of it.
  /// - Returns: the clients of which it is to learn, with their present credentials.
  func lookAtIdentified(interval: Duration) -> [(owner: Credential, credential: Credential)] {
    state.withLock { state in
      let seconds = Int(interval.components.seconds)
      return state.clients.lookAtIdentified(at: state.wheel.position, interval: seconds).compactMap { owner in
        state.clients.identity(of: owner)?.credential.map { (owner, $0) }
      }
    }
  }
}

extension SessionTable.State {
  /// The client that has a credential now, and its identity, for a request.
  mutating func client(of credential: Credential) -> (owner: Credential, identity: ClientTable.Identity?)? {
    guard let client = clients.client(of: credential) else { return nil }
    if client.identity != nil { clients.noteUse(of: client.owner, at: wheel.position) }
    return client
  }

  func sessions(of owner: Credential) -> [Session] {
    clients.living(of: owner).compactMap { sessions[$0]?.session }
  }
}
