// SPDX-License-Identifier: MIT
import Dispatch
import JSONPatching
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
  /// - Parameter holder: who does, as others are told.
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

  private func keeping(
    of type: HostedModelType, _ keeper: SessionKeeper, _ claim: SessionClaim, isNew: Bool
  ) -> Session.Keeping? {
    let durability = type.durability ?? keeper.durability
    if durability == .memory { return nil }
    return Session.Keeping(keeper, claim, durability, schema: type.schema, isNew: isNew)
  }

  /// Gets from the store what is not in memory.
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
      let isFirst = loading.withLock { loading in
        loading[id, default: []].append(done)
        return loading[id]?.count == 1
      }
      guard isFirst else { return }
      // A request that looked before it came, and asks now that it is there, must not have it read once more.
      if case .living = table.find(id) { return loaded(id, .here) }
      keeper.committer.claim(id, evenFrom: released?.whereabouts.claim) { outcome in
        // Its owner may have another credential by now, which alone counts.
        self.identifyOwner(outcome, keeper) { failure in
          // Not on the committer's thread: it makes a view model.
          self.services.pool.run(isSlow: self.isSlow(outcome)) {
            self.loaded(
              id, failure.map { .failed($0) } ?? self.takeIn(id, outcome, keeper, network, for: client))
          }
        }
      }
    }
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

  /// Makes a session again that was read.
  private func takeIn(
    _ id: String, _ outcome: ClaimOutcome, _ keeper: SessionKeeper, _ network: ClientNetwork, for client: Credential?
  ) -> Fetched {
    switch outcome {
    case .none: return .failed(.expired)
    case .elsewhere(let place): return .elsewhere(Elsewhere(id, place, for: client))
    case .failed(let error): return .failed(SessionError(error))
    case .setAside(let error):
      services.report(.setAside(reason: "\(error)"))
      return .failed(.expired)
    case .closed(let closed):
      table.remember(closed, now: services.moment())
      return .here
    case .held(let record, let claim):
      do throws(SessionError) {
        try takeIn(record, claim, keeper, network, for: client)
        return .here
      } catch {
        return .failed(error)
      }
    }
  }

  private func takeIn(
    _ record: SessionRecord, _ claim: SessionClaim, _ keeper: SessionKeeper, _ network: ClientNetwork,
    for client: Credential?
  ) throws(SessionError) {
    guard let (type, counts) = types[record.model] else {
      throw .noSuchModel(record.model, expected: modelNames)
    }
    let isOfUser = type.scope == .user
    // Somebody may have signed in, or out, or have other roles meanwhile: what is stored is not believed.
    let user = isOfUser ? table.user(ofOwn: record.owner, for: client) : table.user(of: record.owner)
    // Somebody else asks for a user's own session.
    if isOfUser, user == nil {
      keeper.committer.release(record.id, claim)
      throw .expired
    }
    let moment = services.moment()
    let use = table.making(for: record.owner)
    defer { table.made(for: record.owner) }
    sweeps.withLock { $0.found(lastUsed: abs(record.lastUsed)) }
    let model: any HostedModel
    let keys: KeyMemory
    var openedBy: String?
    do {
      keys = try KeyMemory(decoding: record.keys, limits: services.keyLimits, at: moment)
      let state = try record.wholeState()
      let stored = try record.context.map { try JSONReader.read($0) }
      var visitor = stored.map { Visitor(stored: $0) } ?? Visitor()
      visitor.user = user
      if case .string(let id)? = stored?[Session.openedByName] { openedBy = id }
      if let openedBy, openedBy != user?.id { throw SessionError.signedOut }
      if type.takesParams, let fault = type.faults(of: visitor.params).first { throw fault }
      let origin = SessionOrigin(
        id: record.id, client: record.owner.name, isOfUser: isOfUser, visitor: visitor)
      let schema = record.schema & ~SessionRecord.inParts
      model = try making(record.model) { try type.restore(state, schema: schema, for: origin) }
      model.noteStored(record.parts.put)
    } catch StoredStateError.newer(let found, let known) {
      // It is left as it is.
      services.report(
        .restoringFailed(
          model: record.model,
          reason: "a later version of the program stored it, as schema \(found); this one knows \(known)"))
      throw .storeUnavailable(
        "the session was stored by a later version of the program; the server's log has more under this id")
    } catch SessionError.signedOut {
      // It shows what was another user's, or that of one who has gone.
      keeper.committer.commit(StoreChange(record.id, claim, .removed), max(keeper.durability, .relaxed)) { _ in
        keeper.committer.release(record.id, claim)
      }
      throw .expired
    } catch is Poisoned {
      throw .poisoned
    } catch let error as ViewModelFailure {
      services.report(.restoringFailed(model: record.model, reason: "\(error)"))
      throw .storeUnavailable(
        "the session's view model cannot be made now; the server's log has the reason under this id")
    } catch {
      setAside(record, claim, keeper, "\(error)")
      throw .expired
    }
    let keeping = keeping(of: type, keeper, claim, isNew: false)
    // The store is to learn soon that it is used after all.
    let idleTime = configuration.idleTime
    let nextCheck = services.now() + (record.isUntouched ? min(idleTime, Self.patience) : idleTime)
    let bytes = model.memoryBytes + keys.bytes
    let session = Session(
      id: record.id, modelName: record.model, owner: record.owner, opening: record.opening, epoch: randomness.word(),
      revision: record.revision, keys: keys, use: use, network: network, openedBy: openedBy, model: model, bytes: bytes,
      services: services,
      counts: counts, awaitsCommands: type.awaitsCommands,
      keeping: keeping, isUntouched: record.isUntouched, nextCheck: nextCheck)
    // Here, and before anybody can find it: commands that its `init` has executed begin now.
    session.submit { _ = $0.arrive() }
    do throws(SessionError) { try table.takeIn(session, bytes, checkAt: nextCheck) } catch {
      session.submit { $0.end(.left(nil)) }
      throw error
    }
    // With what those commands wrote before it was there to be counted.
    session.submit { $0.count(isForced: true) }
  }

  /// Puts aside a session that cannot be made again of what is stored.
  private func setAside(_ record: SessionRecord, _ claim: SessionClaim, _ keeper: SessionKeeper, _ reason: String) {
    services.report(.setAside(reason: "a session on \(record.model) cannot be made again: \(reason)"))
    keeper.committer.commit(StoreChange(record.id, claim, .setAside(reason: reason)), .relaxed) { _ in
      keeper.committer.release(record.id, claim)
    }
  }
}
