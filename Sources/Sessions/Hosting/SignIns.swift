// SPDX-License-Identifier: MIT
import ObservableCore
import Locking
import Storing
import ViewModels

/// The clients' credentials and users. It changes them here and in the store.
///
/// Changes are decided under the table's lock. Sessions are told after it, each in its own turn.
final class SignIns: Sendable {
  let table: SessionTable
  let keeper: SessionKeeper?
  private let executor: HostExecutor
  private let pool: WorkerPool
  private let randomness: Randomness
  let moment: @Sendable () -> Moment
  /// The waits until the store knows the clients that have just entered rooms.
  private let entering = Locked<[Credential: Grant]>([:])

  init(
    _ table: SessionTable, _ keeper: SessionKeeper?, _ executor: HostExecutor, _ pool: WorkerPool,
    _ randomness: Randomness, moment: @escaping @Sendable () -> Moment
  ) {
    (self.table, self.keeper, self.executor, self.pool) = (table, keeper, executor, pool)
    (self.randomness, self.moment) = (randomness, moment)
  }

  /// Gives a client a new credential and another user. Its earlier credential ends.
  ///
  /// If the client's user changes, the other sessions that the earlier user opened end: they show that user's data.
  ///
  /// - Parameters:
  ///   - session: the session that asks for it, which is in its turn; `nil` for none.
  ///   - users: the ids of the users whose other clients are signed out.
  ///   - isAnswered: whether a request waits for its answer, which brings the client the new credential.
  ///   - later: takes the work for after that turn, in which the other sessions learn of the change.
  func grant(
    _ user: User?, to requester: Requester, in session: Session?, signingOut users: Set<String> = [],
    isAnswered: Bool = true, later: (@escaping @Sendable () -> Void) -> Void
  ) -> Grant {
    let newKey = requester.keyStart + randomness.base64URL(bytes: 32)
    let credential = Credential(hashing: newKey)
    let now = moment()
    let client = requester.client
    let rotation = table.rotate(
      client, to: credential, user, in: session, because: isAnswered ? .replaced : .signedOut, now: now.instant)
    let grant = Grant(newKey: newKey, parts: 1 + users.count + (rotation.isOthers ? 1 : 0))
    let record = ClientRecord(
      owner: client, credential: credential, user: user, isByRequests: rotation.isByRequests,
      changed: now.milliseconds / 1_000)
    let finish: @Sendable (SessionError?) -> Void = { failure in
      // Sessions may have shown the change by then, which cannot be taken back, and no other user may see it.
      // So the client begins anew.
      if failure != nil { self.end(client, nil, of: nil) }
      grant.finish(failure)
    }
    later {
      for other in rotation.sessions where other !== session { other.submit { $0.credentialChanged(to: user) } }
      for other in rotation.lost { other.submit { $0.dismiss(client) } }
      self.reenterRooms(client)
      self.end(rotation.ended)
      for user in users {
        self.begin(then: finish) { () async throws(SessionError) in
          _ = try await self.signOut(user, butOf: client)
        }
      }
    }
    put(record, then: finish)
    if rotation.isOthers {
      begin(then: finish) { () async throws(SessionError) in
        try await self.removeStored(of: client, but: rotation.inMemory)
      }
    }
    return grant
  }

  /// Signs users out of all clients but one.
  ///
  /// - Parameter later: takes the work for after the turn of the session that asks for it.
  func signOut(
    _ users: Set<String>, butOf kept: Credential, later: (@escaping @Sendable () -> Void) -> Void
  ) -> Grant {
    let grant = Grant(newKey: nil, parts: users.count)
    later {
      for user in users {
        self.begin(then: grant.finish) { () async throws(SessionError) in
          _ = try await self.signOut(user, butOf: kept)
        }
      }
    }
    return grant
  }

  /// Begins work with the store. `done` is told of its end.
  private func begin(
    then done: @escaping @Sendable (SessionError?) -> Void,
    _ work: @escaping @Sendable () async throws(SessionError) -> Void
  ) {
    Task(executorPreference: executor) {
      do throws(SessionError) {
        try await work()
        done(nil)
      } catch { done(error) }
    }
  }

  /// Binds a client to the user that a request proves.
  ///
  /// - Returns: whether the client is this user's.
  func bind(_ client: Credential, to user: User) -> Bool {
    let now = moment()
    let (isUsers, isNew, signIn, sessions, others) = table.bind(client, to: user, now: now.instant)
    guard let signIn else { return isUsers }
    // A client that had no user is this user's now. The user's own sessions had the user before.
    for session in sessions {
      session.submit { session in
        if isNew, session.owner == client { session.credentialChanged(to: user) } else { session.become(user) }
      }
    }
    reenterRooms(client)
    // A stream of another client of the user asks nothing by itself. Each comes again, and shows which claims it has.
    for other in others { reenterRooms(other) }
    // Nothing waits for this record: each session of the client is stored after it.
    put(
      ClientRecord(
        owner: client, credential: signIn.credential, user: user, isByRequests: true,
        changed: now.milliseconds / 1_000)
    ) { failure in
      if failure != nil { self.end(client, nil, of: nil) }
    }
    return true
  }

  /// Has a client known that enters a room, also if it never has signed in and has no session of its own.
  ///
  /// - Returns: the wait until the store knows it; `nil` if it is known.
  ///
  /// - Parameter isNew: whether its record may be on its way into the store, because it has just been made.
  func enter(_ client: Credential, isNew: Bool) -> Grant? {
    let isFirst = table.enter(client)
    guard let keeper else { return nil }
    if !isFirst, !isNew { return entering.withLock { $0[client] } }
    let grant = Grant(newKey: nil, parts: 1)
    entering.withLock { $0[client] = grant }
    let record = ClientRecord(owner: client, credential: client, user: nil, changed: moment().milliseconds / 1_000)
    // A record that was put before is in the store by then.
    keeper.committer.withStoreFirst { store throws(StoreError) in
      // The client may have signed in meanwhile.
      if isFirst, try store.client(of: client) == nil { try store.put(record) }
    } then: { [table, entering] failure in
      entering.withLock { $0[client] = nil }
      if failure != nil, isFirst { table.forgetEntering(client) }
      grant.finish(failure.map { SessionError($0) })
    }
    return grant
  }

  /// Signs a user out of all clients but one. Their credentials and sessions end here, whether or not the store
  /// takes it.
  ///
  /// - Returns: the clients that the store had of the user.
  @discardableResult
  func signOut(_ user: String, butOf kept: Credential?) async throws(SessionError) -> [Credential] {
    let known = table.clients(ofOwn: .ofUser(user)).filter { $0 != kept }
    for client in known { end(client, nil, of: user) }
    guard let keeper else { return [] }
    let now = moment().milliseconds / 1_000
    let (stored, failure) = try await keeper.ask { store throws(StoreError) in
      let stored = try store.clients(of: user).filter { $0.owner != kept && $0.credential != nil }
      var failure: StoreError?
      // A client that is known here alone may be on its way into the store. This record comes after it.
      for client in Set(known).union(stored.map(\.owner)) {
        do throws(StoreError) {
          try store.put(ClientRecord(owner: client, credential: nil, user: nil, changed: now))
        } catch { failure = failure ?? error }
      }
      return (stored, failure)
    }
    for client in stored { end(client.owner, client.credential, of: user) }
    if let failure { throw SessionError(failure) }
    return stored.map(\.owner)
  }

  /// Ends clients: their credentials and their sessions. A client need not be known here.
  ///
  /// - Returns: the number of sessions in memory that have ended, once it is stored.
  func end(_ clients: [Credential]) async throws(SessionError) -> Int {
    var count = 0
    for client in clients { count += end(client, nil, of: table.user(of: client)?.id) }
    guard let keeper else { return count }
    let now = moment().milliseconds / 1_000
    let records = try await keeper.ask { store throws(StoreError) in
      var records: [ClientRecord] = []
      for client in clients {
        if let record = try store.client(of: client) { records.append(record) }
        try store.put(ClientRecord(owner: client, credential: nil, user: nil, changed: now))
      }
      return records
    }
    for record in records { end(record.owner, record.credential, of: record.userID) }
    return count
  }

  /// Ends all clients, and the sessions in memory, which may take a while.
  ///
  /// - Returns: the number of sessions that have ended, once it is stored.
  func endAll() async throws(SessionError) -> Int {
    let moment = moment()
    let sessions = table.endAll(now: moment.instant)
    // An app's code may hold the pool. The store does not wait for that.
    async let ends: Void = pool.done {
      self.end(sessions)
      for place in self.table.limits.places() where place.session.isRoom {
        place.session.submit { $0.endWait(of: place.waiter, $0.comesAgain) }
      }
    }
    try await keeper?.ask { store throws(StoreError) in try store.endClients(at: moment.milliseconds / 1_000) }
    await ends
    return sessions.count
  }

  /// Ends a client: its credential, its sessions, and its waits in the user's own sessions.
  ///
  /// - Parameter credential: its present credential, as the store has it.
  @discardableResult
  func end(_ client: Credential, _ credential: Credential?, of user: String?) -> Int {
    let sessions = table.end(client, credential, now: moment().instant)
    end(sessions)
    for session in user.map({ table.sessions(of: .ofUser($0)) }) ?? [] { session.submit { $0.dismiss(client) } }
    reenterRooms(client)
    return sessions.count
  }

  /// Has a client that waits in rooms come again, so that they are asked whether it may enter.
  func reenterRooms(_ client: Credential) {
    for room in table.limits.rooms(of: client) { room.submit { $0.readersComeAgain(of: client) } }
  }

  func end(_ sessions: [Session]) {
    for session in sessions {
      session.submit { [table] isolated in
        isolated.end(.signedOut)
        table.remove(session)
      }
    }
  }

  /// Removes the sessions that a client has in the store alone and that a user has opened, one after the other.
  ///
  /// - Parameter inMemory: the ids of the client's sessions in memory, which are not removed here.
  private func removeStored(of client: Credential, but inMemory: Set<String>) async throws(SessionError) {
    guard let keeper else { return }
    for session in try await keeper.sessions(of: client, { $0 }) {
      guard case .living(let living) = session, !inMemory.contains(living.id), living.openedBy != nil else { continue }
      switch await keeper.claim(living.id) {
      case .failed(let error): throw SessionError(error)
      // If another server has the session, it ends the session when it learns of the client.
      case .none, .closed, .setAside, .elsewhere: break
      case .held(_, let claim):
        let outcome = await keeper.finish(living.id, claim, .removed)
        // A request may read the session meanwhile. Its view model is then made for the present user.
        if let error = outcome.error { throw SessionError(error) }
        table.forgetStored(living.id, of: client)
      }
    }
  }

  /// Stores a client's record before any session is committed that shows its consequences.
  private func put(_ record: ClientRecord, then done: @escaping @Sendable (SessionError?) -> Void) {
    guard let keeper else { return done(nil) }
    keeper.committer.withStoreFirst { store throws(StoreError) in
      try store.put(record)
    } then: {
      done($0.map { SessionError($0) })
    }
  }
}

extension KeyedRequest {
  /// The request that opens the one session that a user, or a room, has on a view model. It is the same for all clients
  /// that share it.
  static func toShare(_ model: String) -> KeyedRequest? {
    IdempotencyKey("user:\(model)").map { KeyedRequest(key: $0, digest: Digest(hashing: model)) }
  }
}
