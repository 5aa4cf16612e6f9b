// SPDX-License-Identifier: MIT
import JSONPatching
import Locking
import ObservableCore
package import Storing
package import ViewModels

/// The sessions that a request needs from the store before it can be decided. Fetch them with
/// ``SessionHost/fetch(_:from:released:)``, or wait with ``SessionHost/whenLeaseHolds(_:)``. Then handle the request
/// once more.
package enum SessionsToFetch: Error, Sendable {
  /// - Parameter client: the client that asks for it, by the credential that it came with.
  case session(String, for: Credential?)
  case clients([Credential])
  /// The client that has a credential, without its sessions.
  case client(Credential)
  /// The sessions that are a user's own, by their owner's credential.
  case user(Credential)
  /// None. This server, one of several, must first be sure that it may answer from memory.
  case lease
}

/// The outcome of a fetch.
package enum Fetched: Sendable {
  /// The session is in memory, or there is none.
  case here
  /// Another server has the session.
  case elsewhere(Elsewhere)
  case failed(SessionError)
}

/// Sessions that are kept over a restart: how they come into memory, and the work for the store.
extension SessionHost {
  /// Opens the store, if there is one. To be called before the first session.
  ///
  /// - Parameter holder: the name of this server, which others are told.
  /// - Throws: an error whose text says what is wrong with the store, and what to do.
  package func openStore(as holder: String) throws {
    if keeper != nil { StoringFault.log.set { [report = services.report] in report(.cannotComeBack(reason: $0)) } }
    try keeper?.open(as: holder) { [report = services.report] error in
      report(error.map { .storeFails(reason: "\($0)") } ?? .storeWorks)
    }
    spool.open()
  }

  /// The database beside the sessions, for code that belongs to none; `nil` if sessions are not stored.
  package var database: AppDatabase? {
    guard let keeper else { return nil }
    return AppDatabase(on: { [databaseThreads] in databaseThreads.run(isSlow: false, $0) }) {
      [topics = services.topics, limit = configuration.databaseTime] isReading, told, body in
      // Also if the commit got no answer: it may have been done, and a tell only says where to look.
      defer { for topic in told { topics.tell(topic, by: nil) } }
      try keeper.committer.transact(isReading: isReading, telling: told, within: limit, body)
    }
  }

  /// Tries to take a lock that one server at a time has. It blocks the thread.
  package func lock(_ name: String) throws(StoreError) -> (any StoreLock)? {
    try keeper?.presence?.store.lock(name)
  }

  /// Tells all who follow a topic, here and at other servers.
  package func tell(_ topic: String) {
    services.topics.tell(topic, by: nil)
    guard let keeper, keeper.presence != nil, keeper.isOpen else { return }
    keeper.committer.withStore { store throws(StoreError) in
      try (store as? any SharedSessionStore)?.tell(topic)
    } then: { _ in
    }
  }

  /// Stores everything that is not stored yet, and lets go of the store. Nothing is stored after that.
  ///
  /// - Parameters:
  ///   - patience: the time that this may take.
  ///   - done: called when it is over.
  package func closeStore(within patience: Duration, then done: @escaping @Sendable () -> Void) {
    let finish: @Sendable () -> Void = { [spool] in
      spool.close()
      done()
    }
    guard let keeper, keeper.isOpen else { return finish() }
    keeper.presence?.end()
    keeper.committer.stop(within: patience, then: finish)
  }

  func keeping(of type: HostedModelType, _ params: JSON?, from network: ClientNetwork) -> Session.Keeping? {
    guard let keeper else { return nil }
    return keeping(of: type, params, keeper, keeper.committer.newClaim(), from: network.number, isNew: true)
  }

  func keeping(
    of type: HostedModelType, _ params: JSON?, _ keeper: SessionKeeper, _ claim: SessionClaim, from network: Int64,
    isNew: Bool
  ) -> Session.Keeping? {
    let durability = type.durability ?? keeper.durability
    if durability == .memory { return nil }
    // A room counts as users' own if nobody else may enter.
    let isOfUser = type.owner == .user || type.roomRule(params)?(nil) == false
    return Session.Keeping(
      keeper, claim, durability, schema: type.schema, databaseActions: type.databaseActions, from: network,
      isOfUser: isOfUser, isNew: isNew)
  }

  /// Calls `done` once this server may answer from memory again. It may be called before this returns, and is not called
  /// if the server stops before.
  package func whenLeaseHolds(_ done: @escaping @Sendable () -> Void) { keeper?.presence?.lease.whenHeld(now(), done) }

  /// Gets sessions that are not in memory from the store.
  ///
  /// - Parameters:
  ///   - network: the network that the request comes from.
  ///   - released: the place of the session, if the server there has said that it does not have the session, or
  ///     if no server listens there.
  /// - Returns: ``SessionError/expired`` as the reason if there is none.
  package func fetch(
    _ what: SessionsToFetch, from network: ClientNetwork = .unknown, released: Elsewhere? = nil
  ) async -> Fetched {
    guard let keeper else { return .failed(.expired) }
    do throws(SessionError) {
      switch what {
      case .lease: stopProgram(bug: "a lease was to be fetched, which is to be waited for")
      case .client(let credential): try await meet(clientOf: credential, keeper)
      case .clients(let credentials): for credential in credentials { try await meet(credential, keeper) }
      case .user(let owner): try await meet(owner: owner, keeper, keepsEmpty: true)
      case .session(let id, let client):
        if released == nil, let place = knownPlace(of: id, keeper) {
          return .elsewhere(Elsewhere(id, place, for: client))
        }
        return await loadSession(id, keeper, for: .request(client: client, network: network, released: released))
      }
    } catch { return .failed(error) }
    return .here
  }

  /// Gets a session from the store. If it is on its way already, this waits for it.
  func loadSession(_ id: String, _ keeper: SessionKeeper, for reason: Loading) async -> Fetched {
    await withCheckedContinuation { done in
      let isFirst = loading.withLock { loading in
        defer { loading[id, default: []].append { done.resume(returning: $0) } }
        return loading[id] == nil
      }
      guard isFirst else { return }
      // A request may have looked before the session came and ask only now. The session must not be read once
      // more for it.
      if case .living = table.find(id) { return loaded(id, .here) }
      Task(executorPreference: executor) {
        do throws(SessionError) { self.loaded(id, try await self.load(id, keeper, for: reason)) } catch {
          self.loaded(id, .failed(error))
        }
      }
    }
  }

  private func load(_ id: String, _ keeper: SessionKeeper, for reason: Loading) async throws(SessionError) -> Fetched {
    var released: SessionClaim?
    if case .request(_, _, let place) = reason { released = place?.whereabouts.claim }
    let possibleTakeovers = keeper.presence?.possibleTakeovers
    let outcome = await keeper.claim(id, evenFrom: released)
    // An operator has ended it, and the server that had it did not hear that.
    if case .held(let record, let claim) = outcome, let closing = record.askedEnd {
      return Fetched(await close(record, claim, as: closing, keeper))
    }
    // The owner may have another credential by now, and only that one counts.
    try await learnOwner(outcome, keeper)
    let user = try await userWithoutClient(for: reason, outcome, keeper)
    return await withCheckedContinuation { done in
      // A view model is made, which may take long.
      services.pool.run(isSlow: isSlow(outcome)) {
        let fetched = self.takeIn(id, outcome, keeper, for: reason, user)
        done.resume(returning: keeper.presence?.possibleTakeovers == possibleTakeovers ? fetched : self.letGo(id))
      }
    }
  }

  /// Drops a session that others may have taken while it was on its way into memory. The request has to come
  /// once more.
  private func letGo(_ id: String) -> Fetched {
    table.inMemory(id)?.submit { $0.leaveToOthers() }
    return .failed(
      .storeUnavailable("the session store was out of reach meanwhile; expected the request once more, anew"))
  }

  /// Whether the claimed session's view model is slow to make.
  private func isSlow(_ outcome: ClaimOutcome) -> Bool {
    if case .held(let record, _) = outcome { services.pace.laneOfMaking(record.model) == .slow } else { false }
  }

  func loaded(_ id: String, _ outcome: Fetched) {
    for done in loading.withLock({ $0.removeValue(forKey: id) ?? [] }) { done(outcome) }
  }

  /// Notes the client that has a credential.
  ///
  /// - Returns: the owner of its sessions, and its user; `nil` if the credential has ended.
  @discardableResult
  private func meet(
    clientOf credential: Credential, _ keeper: SessionKeeper
  ) async throws(SessionError) -> (owner: Credential, user: User?)? {
    try await keeper.client(of: credential) { [table, services] record in
      // Another server may have given this credential to a client that is known here by its earlier one.
      // One that has ended here has a successor that the store does not know yet.
      let now = services.moment()
      if let record, record.credential == credential, keeper.presence != nil, table.hasClient(record.owner),
        table.ending(of: credential, now: now.instant) == nil
      {
        services.signIns.adopt(record, credential)
      }
      return table.met(record, by: credential, now: now).map { ($0, record?.user) }
    }
  }

  /// Notes the client that has a credential, and its sessions.
  private func meet(_ credential: Credential, _ keeper: SessionKeeper) async throws(SessionError) {
    guard let (owner, user) = try await meet(clientOf: credential, keeper) else { return }
    try await meet(owner: owner, keeper)
    // Another server may have opened sessions that are the user's own.
    if keeper.presence != nil, let user { try await meet(owner: .ofUser(user.id), keeper, keepsEmpty: true) }
  }

  /// Notes the sessions that an owner has in the store.
  private func meet(
    owner: Credential, _ keeper: SessionKeeper, keepsEmpty: Bool = false
  ) async throws(SessionError) {
    try await keeper.sessions(of: owner) { [table, services] sessions in
      table.met(owner, sessions, keepsEmpty: keepsEmpty, now: services.moment())
    }
  }
}
