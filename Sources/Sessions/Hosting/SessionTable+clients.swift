// SPDX-License-Identifier: MIT
import Locking
import Storing
import ViewModels

/// The clients that have signed in, under the table's lock.
extension SessionTable {
  /// The client that has a credential now, and what it has become by signing in.
  func client(of credential: Credential) -> FoundClient? { state.withLock { $0.client(of: credential) } }

  /// Finds a session for a client, with the client.
  func find(_ id: String, as credential: Credential?) -> (listing: Listing, client: FoundClient?) {
    state.withLock { state in
      let client = credential.flatMap { state.client(of: $0) }
      return (Self.find(id, in: &state), client)
    }
  }

  func user(of owner: Credential) -> User? { state.withLock { $0.clients.signIn(of: owner)?.user } }

  /// The user whose own sessions have this owner: as the asking client knows the user, or else as another
  /// client of the user does.
  func user(ofOwn owner: Credential, for client: Credential?) -> User? {
    state.withLock { state in
      let signIn = client.flatMap { state.clients.signIn(of: $0) }
      return signIn?.userOwner == owner ? signIn?.user : state.clients.user(ofOwn: owner)
    }
  }

  func clients(ofOwn owner: Credential) -> [Credential] { state.withLock { $0.clients.clients(ofOwn: owner) } }

  /// The reason for which a credential ended a short time ago.
  func ending(of credential: Credential, now: ContinuousClock.Instant) -> EndedCredentials.Reason? {
    state.withLock { $0.ended[credential, now] }
  }

  /// Whether a client is known here as the store's record has it.
  func knows(_ record: ClientRecord) -> Bool {
    let signIn = state.withLock { $0.clients.signIn(of: record.owner) }
    return signIn?.credential == record.credential && signIn?.user == record.user
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
      let before = state.clients.signIn(of: owner)
      // Its requests have to prove the user as before, until one proves a user anew.
      let signIn = ClientTable.SignIn(credential, user, isByRequests: isByRequests ?? before?.isByRequests ?? false)
      state.clients.setSignIn(owner, to: signIn)
      let old = before?.credential ?? owner
      if old != credential { state.ended.add(old, reason, now: now) }
      state.clients.noteSignIn(owner, at: state.wheel.position)
      let own = state.sessions(of: owner)
      var rotation = Rotation(inMemory: Set(own.map(\.id)), isByRequests: signIn.isByRequests)
      let ofUser = before?.userOwner.map { state.sessions(of: $0) } ?? []
      // Requests that came with the earlier credential look for their sessions again.
      state.clients.renumber(owner)
      if before?.userOwner == signIn.userOwner {
        rotation.sessions = own + ofUser
        return rotation
      }
      rotation.lost = ofUser
      rotation.isOthers = before?.user != nil
      rotation.sessions = signIn.userOwner.map { state.sessions(of: $0) } ?? []
      let isEnded: (Session) -> Bool = { rotation.isOthers && $0.facts.openedBy != nil && $0 !== session }
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
  ///   none; `signIn`: what it has become, if that has changed; `sessions`: the sessions that have to learn of it;
  ///   `others`: the user's other clients that have come with other claims.
  func bind(
    _ owner: Credential, to user: User, now: ContinuousClock.Instant
  ) -> (isUsers: Bool, isNew: Bool, signIn: ClientTable.SignIn?, sessions: [Session], others: [Credential]) {
    state.withLock { state in
      let before = state.clients.signIn(of: owner)
      if let known = before?.user, !known.id.utf8.elementsEqual(user.id.utf8) { return (false, false, nil, [], []) }
      if before?.user == user, before?.isByRequests == true { return (true, false, nil, [], []) }
      state.clients.noteSignIn(owner, at: state.wheel.position)
      let signIn = ClientTable.SignIn(before.map(\.credential) ?? owner, user, isByRequests: true)
      state.clients.setSignIn(owner, to: signIn)
      let own = state.sessions(of: owner)
      let isNew = before?.user == nil
      state.clients.renumber(owner)
      let others = state.clients.clients(ofOwn: .ofUser(user.id)).filter { state.clients.signIn(of: $0)?.user != user }
      return (true, isNew, signIn, own + (signIn.userOwner.map { state.sessions(of: $0) } ?? []), others)
    }
  }

  /// Notes that a client enters a room.
  ///
  /// - Returns: whether it never has signed in. From here on it is known as one that has, as nobody.
  func enter(_ client: Credential) -> Bool {
    state.withLock { state in
      if state.clients.signIn(of: client) != nil { return false }
      state.clients.noteSignIn(client, at: state.wheel.position)
      state.clients.setSignIn(client, to: .init(client, nil))
      return true
    }
  }

  /// Takes back that a client has entered a room, as the store has not taken it. It does nothing for a client that has
  /// signed in since.
  func forgetEntering(_ client: Credential) {
    state.withLock { state in
      guard let signIn = state.clients.signIn(of: client), signIn.user == nil, signIn.credential == client else {
        return
      }
      state.clients.setSignIn(client, to: nil)
    }
  }

  /// Ends a client's credential.
  ///
  /// - Parameter stored: its present credential as the store has it, which may not be in memory.
  /// - Returns: its sessions, which end.
  func end(_ owner: Credential, _ stored: Credential?, now: ContinuousClock.Instant) -> [Session] {
    state.withLock { state in
      let before = state.clients.signIn(of: owner)
      let old = before == nil ? stored ?? owner : before?.credential ?? stored
      if let old { state.ended.add(old, .signedOut, now: now) }
      state.clients.noteSignIn(owner, at: state.wheel.position)
      state.clients.setSignIn(owner, to: .init(nil, nil))
      state.clients.renumber(owner)
      return state.sessions(of: owner)
    }
  }

  /// Ends the credentials of all clients.
  ///
  /// - Returns: the sessions in memory, which end.
  func endAll(now: ContinuousClock.Instant) -> [Session] {
    state.withLock { state in
      for owner in Array(state.clients.clients.keys) {
        if let signIn = state.clients.signIn(of: owner), signIn.credential == nil { continue }
        state.ended.add(state.clients.signIn(of: owner)?.credential ?? owner, .signedOut, now: now)
        state.clients.noteSignIn(owner, at: state.wheel.position)
        state.clients.setSignIn(owner, to: .init(nil, nil))
        state.clients.renumber(owner)
      }
      // A room is nobody's, and goes on for those who come back.
      return state.sessions.values.map(\.session).filter { !$0.isRoom }
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

  /// Takes in from the store that a client has signed in, unless that is known here, which may be newer.
  func learn(_ record: ClientRecord, now: Moment) {
    state.withLock { state in
      if state.clients.signIn(of: record.owner) != nil { return }
      let second = state.wheel.position
      let age = max(0, now.milliseconds / 1_000 - record.changed)
      state.clients.noteSignIn(record.owner, at: second, storedUse: second - Int(clamping: age))
      state.clients.setSignIn(
        record.owner, to: .init(record.credential, record.user, isByRequests: record.isByRequests))
    }
  }
}

extension SessionTable {
  /// Looks at some of the clients that have signed in, and forgets those that nobody has used for long.
  ///
  /// - Parameter interval: the store is told of a use this long after the last one that it knows.
  /// - Returns: the clients whose use the store is to be told of, with their present credentials.
  func lookAtSignedIn(interval: Duration) -> [(owner: Credential, credential: Credential)] {
    state.withLock { state in
      let seconds = Int(interval.components.seconds)
      return state.clients.lookAtSignedIn(at: state.wheel.position, interval: seconds).compactMap { owner in
        state.clients.signIn(of: owner)?.credential.map { (owner, $0) }
      }
    }
  }
}

extension SessionTable.State {
  /// Finds the client that has a credential now for a request, and notes the use.
  mutating func client(of credential: Credential) -> FoundClient? {
    guard let client = clients.client(of: credential) else { return nil }
    guard let signIn = client.signIn else { return client }
    // No request could prove the user here.
    if signIn.isByRequests, !clients.takesProofs { return nil }
    clients.noteUse(of: client.owner, at: wheel.position)
    return client
  }

  func sessions(of owner: Credential) -> [Session] {
    clients.living(of: owner).compactMap { sessions[$0]?.session }
  }
}
