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

  /// Finds a session for a client, with the client and the number of the session's identity. If the client's
  /// credential ends later, the request still has the earlier number.
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

  /// The user of a client, with the number of a session's identity; `nil` if a credential is not the client's any
  /// more.
  func present(
    _ client: Credential, as credential: Credential, in session: Session
  ) -> (user: User?, identityNumber: UInt32)? {
    state.withLock { state in
      guard let known = state.client(of: credential), known.owner == client else { return nil }
      return (known.identity?.user, session.identityNumber.load(ordering: .relaxed))
    }
  }

  func user(of owner: Credential) -> User? { state.withLock { $0.clients.identity(of: owner)?.user } }

  /// The user whose own sessions have this owner: as the asking client knows the user, or else as another
  /// client of the user does.
  func user(ofOwn owner: Credential, for client: Credential?) -> User? {
    state.withLock { state in
      let identity = client.flatMap { state.clients.identity(of: $0) }
      return identity?.userOwner == owner ? identity?.user : state.clients.user(ofOwn: owner)
    }
  }

  func clients(of user: String) -> [Credential] { state.withLock { $0.clients.clients(of: user) } }

  /// The reason for which a credential ended a short time ago.
  func ending(of credential: Credential, now: ContinuousClock.Instant) -> EndedCredentials.Reason? {
    state.withLock { $0.ended[credential, now] }
  }

  /// Whether a client is known here as the store's record has it.
  func knows(_ record: ClientRecord) -> Bool {
    let identity = state.withLock { $0.clients.identity(of: record.owner) }
    return identity?.credential == record.credential && identity?.user == record.user
  }

  /// Notes a credential that has ended at another server.
  func noteEnded(_ credential: Credential, _ reason: EndedCredentials.Reason, now: ContinuousClock.Instant) {
    state.withLock { $0.ended.add(credential, reason, now: now) }
  }

  /// The sessions of an owner that are in memory.
  func sessions(of owner: Credential) -> [Session] { state.withLock { $0.sessions(of: owner) } }

  /// The consequences of a client's new credential.
  struct Rotation: Sendable {
    /// The sessions that have to be told of it.
    var sessions: [Session] = []
    /// The earlier user's own sessions, which the client cannot reach any more.
    var lost: [Session] = []
    /// The client's sessions that the earlier user has opened. They end.
    var ended: [Session] = []
    /// The ids of all the client's sessions in memory.
    var inMemory: Set<String>
    /// Whether the client had another user.
    var isOthers = false
    var isByRequests = false
  }

  /// Gives a client another credential and another user.
  ///
  /// - Parameters:
  ///   - session: the session that asks for it, which goes on.
  ///   - reason: the reason that is told to a client that comes with the earlier credential.
  ///   - isByRequests: whether each of its requests has to prove the user; `nil` leaves it as it was.
  func rotate(
    _ owner: Credential, to credential: Credential, _ user: User?, in session: Session?,
    because reason: EndedCredentials.Reason, now: ContinuousClock.Instant, isByRequests: Bool? = nil
  ) -> Rotation {
    state.withLock { state in
      let before = state.clients.identity(of: owner)
      // Its requests have to prove the user as before, until one proves a user anew.
      let identity = ClientTable.Identity(credential, user, isByRequests: isByRequests ?? before?.isByRequests ?? false)
      state.clients.identify(owner, as: identity)
      let old = before?.credential ?? owner
      if old != credential { state.ended.add(old, reason, now: now) }
      state.clients.noteIdentified(owner, at: state.wheel.position)
      let own = state.sessions(of: owner)
      var rotation = Rotation(inMemory: Set(own.map(\.id)), isByRequests: identity.isByRequests)
      let ofUser = before?.userOwner.map { state.sessions(of: $0) } ?? []
      // Requests that found these sessions by the earlier credential look for them again.
      Self.renumber(own + ofUser)
      if before?.userOwner == identity.userOwner {
        rotation.sessions = own + ofUser
        return rotation
      }
      rotation.lost = ofUser
      rotation.isOthers = before?.user != nil
      rotation.sessions = identity.userOwner.map { state.sessions(of: $0) } ?? []
      let isEnded: (Session) -> Bool = { rotation.isOthers && $0.openedBy != nil && $0 !== session }
      rotation.ended = own.filter(isEnded)
      rotation.sessions += own.filter { !isEnded($0) }
      return rotation
    }
  }

  /// Forgets a session that was removed from the store.
  func forgetStored(_ id: String, of owner: Credential) { state.withLock { $0.clients.removed(id, of: owner) } }

  /// Binds a client to the user that a request proves.
  ///
  /// - Returns: `isUsers`: whether the client is this user's, or had no user before; `isNew`: whether it had
  ///   none; `identity`: its identity, if that has changed; `sessions`: the sessions that have to learn of it.
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

  /// Has requests that found the sessions before now handled anew.
  private static func renumber(_ sessions: [Session]) {
    for session in sessions { session.identityNumber.wrappingAdd(1, ordering: .relaxed) }
  }

  /// Ends a client's credential.
  ///
  /// - Parameter stored: its present credential as the store has it, which may not be in memory.
  /// - Returns: its sessions, which end.
  func end(_ owner: Credential, _ stored: Credential?, now: ContinuousClock.Instant) -> [Session] {
    state.withLock { state in
      let before = state.clients.identity(of: owner)
      let old = before == nil ? stored ?? owner : before?.credential ?? stored
      if let old { state.ended.add(old, .signedOut, now: now) }
      state.clients.noteIdentified(owner, at: state.wheel.position)
      state.clients.identify(owner, as: .init(nil, nil))
      let sessions = state.sessions(of: owner)
      // The client's requests in the user's own sessions are over too. Requests of the user's other clients
      // there look again.
      Self.renumber(sessions + (before?.userOwner.map { state.sessions(of: $0) } ?? []))
      return sessions
    }
  }

  /// Ends the credentials of all clients.
  ///
  /// - Returns: the sessions in memory, which end.
  func endAll(now: ContinuousClock.Instant) -> [Session] {
    state.withLock { state in
      for owner in Array(state.clients.clients.keys) {
        if let identity = state.clients.identity(of: owner), identity.credential == nil { continue }
        state.ended.add(state.clients.identity(of: owner)?.credential ?? owner, .signedOut, now: now)
        state.clients.noteIdentified(owner, at: state.wheel.position)
        state.clients.identify(owner, as: .init(nil, nil))
      }
      let sessions = state.sessions.values.map(\.session)
      Self.renumber(sessions)
      return sessions
    }
  }

  /// Takes in a client's record of the store.
  ///
  /// - Returns: the owner of the client's sessions; `nil` if the credential has ended.
  func met(_ record: ClientRecord?, by credential: Credential, now: Moment) -> Credential? {
    guard let record else { return credential }
    learn(record, now: now)
    guard record.credential == credential else {
      state.withLock { $0.ended.add(credential, record.credential == nil ? .signedOut : .replaced, now: now.instant) }
      return nil
    }
    return record.owner
  }

  /// Takes in a client's identity from the store, unless one is known here, which may be newer.
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
  /// - Parameter interval: the store is told of a use this long after the last one that it knows.
  /// - Returns: the clients whose use the store is to be told of, with their present credentials.
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
  /// Finds the client that has a credential now for a request, with its identity, and notes the use.
  mutating func client(of credential: Credential) -> (owner: Credential, identity: ClientTable.Identity?)? {
    guard let client = clients.client(of: credential) else { return nil }
    guard let identity = client.identity else { return client }
    // No request could prove the user here.
    if identity.isByRequests, !clients.takesProofs { return nil }
    clients.noteUse(of: client.owner, at: wheel.position)
    return client
  }

  func sessions(of owner: Credential) -> [Session] {
    clients.living(of: owner).compactMap { sessions[$0]?.session }
  }
}
