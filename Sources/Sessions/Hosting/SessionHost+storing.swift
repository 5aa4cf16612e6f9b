// SPDX-License-Identifier: MIT
import Locking
package import Storing
import ViewModels

/// The sessions that a request needs from the store before it can be decided. Fetch them with
/// ``SessionHost/fetch(_:then:)``, then handle the request once more.
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
  }

  /// Stores everything that is not stored yet, and lets go of the store. Nothing is stored after that.
  ///
  /// - Parameters:
  ///   - patience: the time that this may take.
  ///   - done: called when it is over.
  package func closeStore(within patience: Duration, then done: @escaping @Sendable () -> Void) {
    guard let keeper, keeper.isOpen else { return done() }
    keeper.presence?.end()
    keeper.committer.stop(within: patience, then: done)
  }

  func keeping(of type: HostedModelType, from network: ClientNetwork) -> Session.Keeping? {
    guard let keeper else { return nil }
    return keeping(of: type, keeper, keeper.committer.newClaim(), from: network.number, isNew: true)
  }

  func keeping(
    of type: HostedModelType, _ keeper: SessionKeeper, _ claim: SessionClaim, from network: Int64, isNew: Bool
  ) -> Session.Keeping? {
    let durability = type.durability ?? keeper.durability
    if durability == .memory { return nil }
    return Session.Keeping(
      keeper, claim, durability, schema: type.schema, from: network, isOfUser: type.scope == .user, isNew: isNew)
  }

  /// Gets sessions that are not in memory from the store.
  ///
  /// - Parameters:
  ///   - network: the network that the request comes from.
  ///   - released: the place of the session, if the server there has said that it does not have the session, or
  ///     if no server listens there.
  ///   - done: called once, on any thread, when the session is there, or with the reason why it is not:
  ///     ``SessionError/expired`` if there is none.
  package func fetch(
    _ what: SessionsToFetch, from network: ClientNetwork = .unknown, released: Elsewhere? = nil,
    then done: @escaping @Sendable (Fetched) -> Void
  ) {
    guard let keeper else { return done(.failed(.expired)) }
    switch what {
    case .lease: keeper.presence?.lease.whenHeld(now()) { done(.here) }
    case .client(let credential):
      learnClient(of: credential, keeper) { failure, record in
        // Another server may have given this credential to a client that is known here by its earlier one.
        if let record, record.credential == credential, keeper.presence != nil {
          self.services.signIns.adopt(record, credential)
        }
        _ = self.table.met(record, by: credential, now: self.services.moment())
        done(Fetched(failure))
      }
    case .clients(let credentials): meet(credentials[...], keeper) { done(Fetched($0)) }
    case .user(let owner):
      keeper.committer.sessions(of: owner) { result in
        switch result {
        case .failure(let error): done(.failed(SessionError(error)))
        case .success(let sessions):
          self.table.met(owner, sessions, keepsEmpty: true, now: self.services.moment())
          done(.here)
        }
      }
    case .session(let id, let client):
      if released == nil, let place = knownPlace(of: id, keeper) {
        return done(.elsewhere(Elsewhere(id, place, for: client)))
      }
      loadSession(id, keeper, for: .request(client: client, network: network, released: released), then: done)
    }
  }

  /// Gets a session from the store.
  func loadSession(
    _ id: String, _ keeper: SessionKeeper, for reason: Loading, then done: @escaping @Sendable (Fetched) -> Void
  ) {
    let isFirst = loading.withLock { loading in
      loading[id, default: []].append(done)
      return loading[id]?.count == 1
    }
    guard isFirst else { return }
    // A request may have looked before the session came and ask only now. The session must not be read once
    // more for it.
    if case .living = table.find(id) { return loaded(id, .here) }
    var released: SessionClaim?
    if case .request(_, _, let place) = reason { released = place?.whereabouts.claim }
    let possibleTakeovers = keeper.presence?.possibleTakeovers
    keeper.committer.claim(id, evenFrom: released) { outcome in
      // An operator has ended it, and the server that had it did not hear that.
      if case .held(let record, let claim) = outcome, let closing = record.askedEnd {
        return self.close(record, claim, as: closing, keeper)
      }
      // The owner may have another credential by now, and only that one counts.
      self.learnOwner(outcome, keeper) { failure in
        if let failure { return self.loaded(id, .failed(failure)) }
        self.userWithoutClient(for: reason, outcome, keeper) { result in
          // This does not run on the committer's thread, since it makes a view model.
          self.services.pool.run(isSlow: self.isSlow(outcome)) {
            switch result {
            case .failure(let failure): self.loaded(id, .failed(failure))
            case .success(let user):
              let fetched = self.takeIn(id, outcome, keeper, for: reason, user)
              self.loaded(id, keeper.presence?.possibleTakeovers == possibleTakeovers ? fetched : self.letGo(id))
            }
          }
        }
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

  private func meet(
    _ credentials: ArraySlice<Credential>, _ keeper: SessionKeeper, _ done: @escaping @Sendable (SessionError?) -> Void
  ) {
    guard let credential = credentials.first else { return done(nil) }
    keeper.committer.client(of: credential) { result in
      switch result {
      case .failure(let error): done(SessionError(error))
      case .success(let record):
        let now = self.services.moment()
        if let record, record.credential == credential, keeper.presence != nil {
          self.services.signIns.adopt(record, credential)
        }
        guard let owner = self.table.met(record, by: credential, now: now) else {
          return self.meet(credentials.dropFirst(), keeper, done)
        }
        self.meet(owner, keeper) { failure in
          if let failure { return done(failure) }
          guard keeper.presence != nil, let user = record?.user else {
            return self.meet(credentials.dropFirst(), keeper, done)
          }
          // Another server may have opened sessions that are the user's own.
          self.meet(.ofUser(user.id), keeper, keepsEmpty: true) { failure in
            if let failure { done(failure) } else { self.meet(credentials.dropFirst(), keeper, done) }
          }
        }
      }
    }
  }

  /// Notes the sessions that an owner has in the store.
  private func meet(
    _ owner: Credential, _ keeper: SessionKeeper, keepsEmpty: Bool = false,
    then done: @escaping @Sendable (SessionError?) -> Void
  ) {
    keeper.committer.sessions(of: owner) { result in
      switch result {
      case .failure(let error): done(SessionError(error))
      case .success(let sessions):
        self.table.met(owner, sessions, keepsEmpty: keepsEmpty, now: self.services.moment())
        done(nil)
      }
    }
  }
}
