// SPDX-License-Identifier: MIT
import Locking
import ViewModels

/// The sessions that have to be fetched from the store before a request can be decided: ``SessionHost/fetch(_:then:)``, and then once more.
public enum SessionsToFetch: Error, Sendable {
  /// - Parameter client: the one that asks for it, as it is known for as long as it lives.
  case session(String, for: Credential?)
  case clients([Credential])
  /// The client that has a credential, without its sessions.
  case client(Credential)
  /// The sessions that are a user's own, by their owner.
  case user(Credential)
  /// None: this server, one of several, must first be sure that it may answer from memory.
  case lease
}

/// The outcome of a fetch.
public enum Fetched: Sendable {
  /// It is in memory, or there is none.
  case here
  /// Another server has the session.
  case elsewhere(Elsewhere)
  case failed(SessionError)
}

/// Sessions that are kept over a restart: how they get into memory, and what is done for the store.
extension SessionHost {
  /// Takes hold of the store, if there is one. To be called before the first session.
  ///
  /// - Parameter holder: the name of the server that does, as others are told.
  /// - Throws: an error whose text says what is wrong with the store, and what to do.
  public func openStore(as holder: String) throws {
    try keeper?.open(as: holder) { [report = services.report] error in
      report(error.map { .storeFails(reason: "\($0)") } ?? .storeWorks)
    }
  }

  /// Has everything stored that is not yet, and lets go of the store; nothing is stored after it.
  ///
  /// - Parameters:
  ///   - patience: how long that may take.
  ///   - done: told when it is over.
  public func closeStore(within patience: Duration, then done: @escaping @Sendable () -> Void) {
    guard let keeper, keeper.isOpen else { return done() }
    keeper.presence?.end()
    keeper.committer.stop(within: patience, then: done)
  }

  func keeping(of type: HostedModelType) -> Session.Keeping? {
    guard let keeper else { return nil }
    return keeping(of: type, keeper, keeper.committer.newClaim(), isNew: true)
  }

  func keeping(
    of type: HostedModelType, _ keeper: SessionKeeper, _ claim: SessionClaim, isNew: Bool
  ) -> Session.Keeping? {
    let durability = type.durability ?? keeper.durability
    if durability == .memory { return nil }
    return Session.Keeping(keeper, claim, durability, schema: type.schema, isNew: isNew)
  }

  /// Gets sessions from the store that are not in memory.
  ///
  /// - Parameters:
  ///   - network: the one that the request comes from.
  ///   - released: the place of the session, of which the server there has said that it does not have it, or which is not there.
  ///   - done: told, somewhere and once, when it is there, or why not: ``SessionError/expired`` if there is none.
  public func fetch(
    _ what: SessionsToFetch, from network: ClientNetwork = .unknown, released: Elsewhere? = nil,
    then done: @escaping @Sendable (Fetched) -> Void
  ) {
    guard let keeper else { return done(.failed(.expired)) }
    switch what {
    case .lease: keeper.presence?.lease.whenHeld(now()) { done(.here) }
    case .client(let credential):
      identify(credential, keeper) { failure, record in
        // Another server may have given it to a client that is known here by the one before.
        if let record, record.credential == credential, keeper.presence != nil {
          self.services.identities.adopt(record, credential)
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
      load(id, keeper, for: .request(client: client, network: network, released: released), then: done)
    }
  }

  /// Gets a session from the store.
  func load(
    _ id: String, _ keeper: SessionKeeper, for reason: Loading, then done: @escaping @Sendable (Fetched) -> Void
  ) {
    let isFirst = loading.withLock { loading in
      loading[id, default: []].append(done)
      return loading[id]?.count == 1
    }
    guard isFirst else { return }
    // A request that looked before it came, and asks now that it is there, must not have it read once more.
    if case .living = table.find(id) { return loaded(id, .here) }
    var released: SessionClaim?
    if case .request(_, _, let place) = reason { released = place?.whereabouts.claim }
    let looks = keeper.presence?.looks
    keeper.committer.claim(id, evenFrom: released) { outcome in
      // Its owner may have another credential by now, which alone counts.
      self.identifyOwner(outcome, keeper) { failure in
        if let failure { return self.loaded(id, .failed(failure)) }
        self.userWithoutClient(for: reason, outcome, keeper) { result in
          // Not on the committer's thread: it makes a view model.
          self.services.pool.run(isSlow: self.isSlow(outcome)) {
            switch result {
            case .failure(let failure): self.loaded(id, .failed(failure))
            case .success(let user):
              let fetched = self.takeIn(id, outcome, keeper, for: reason, user)
              self.loaded(id, keeper.presence?.looks == looks ? fetched : self.letGo(id))
            }
          }
        }
      }
    }
  }

  /// Drops a session that others may have taken while it was on its way into memory: the request is to come once more.
  private func letGo(_ id: String) -> Fetched {
    table.inMemory(id)?.submit { $0.leaveToOthers() }
    return .failed(
      .storeUnavailable("the session store was out of reach meanwhile; expected the request once more, anew"))
  }

  /// Whether the session that was claimed is of a view model that is slow to make.
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
    keeper.committer.withStore { store throws(StoreError) in
      try store.client(of: credential)
    } then: { result in
      switch result {
      case .failure(let error): done(SessionError(error))
      case .success(let record):
        let now = self.services.moment()
        if let record, record.credential == credential, keeper.presence != nil {
          self.services.identities.adopt(record, credential)
        }
        guard let owner = self.table.met(record, by: credential, now: now) else {
          return self.meet(credentials.dropFirst(), keeper, done)
        }
        self.meet(owner, keeper) { failure in
          if let failure { return done(failure) }
          guard keeper.presence != nil, let user = record?.user else {
            return self.meet(credentials.dropFirst(), keeper, done)
          }
          // Another server may have opened those that are the user's own.
          self.meet(.ofUser(user.id), keeper, keepsEmpty: true) { failure in
            if let failure { done(failure) } else { self.meet(credentials.dropFirst(), keeper, done) }
          }
        }
      }
    }
  }

  /// Takes note of the sessions that an owner has in the store.
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
