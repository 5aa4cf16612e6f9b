// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import Storing

/// Ends sessions for an operator, in memory and in the store. A session in memory ends in its turn, after the
/// work that is under way.
extension SessionHost {
  /// Ends one session. For a day its owner is told that an operator ended it.
  ///
  /// - Parameters:
  ///   - asksOthers: whether another server that has the session is asked to end it. It is not if this server was asked
  ///     itself.
  ///   - done: gets whether there was such a session. For one that is in the store alone, it is called once the store
  ///     has the end.
  package func end(
    _ id: String, asksOthers: Bool = true, then done: @escaping @Sendable (Result<Bool, SessionError>) -> Void
  ) {
    if let (session, _) = table.look(at: id, now: now()) {
      end(session, asksOthers: asksOthers)
      return done(.success(true))
    }
    guard keeper != nil, Randomness.isBase64URL(id, bytes: 16) else { return done(.success(false)) }
    // The session may be on its way into memory.
    let isLoading = loading.withLock { loading in
      loading[id]?.append { _ in self.end(id, asksOthers: asksOthers, then: done) }
      return loading[id] != nil
    }
    if isLoading { return }
    endStored(id, as: .ended, asksOthers: asksOthers) { result in
      // The session has come back into memory meanwhile.
      guard let result else { return self.end(id, asksOthers: asksOthers, then: done) }
      done(result)
    }
  }

  private func end(_ session: Session, asksOthers: Bool = true) {
    session.submit { isolated in
      if isolated.hasLeft { return self.end(session.id, asksOthers: asksOthers) { _ in } }
      if !isolated.isClosed { isolated.close(.ended) }
    }
  }

  /// Ends all sessions on a view model.
  ///
  /// - Parameter done: gets the number of sessions that have ended.
  package func end(allOn model: String, then done: @escaping @Sendable (Result<Int, SessionError>) -> Void) {
    let sessions = table.sessions(on: model)
    for session in sessions { end(session) }
    endStored(SessionFilter(model: model), after: nil, sessions.count, then: done)
  }

  /// Ends the sessions of the store that a filter takes, page by page.
  func endStored(
    _ filter: SessionFilter, after id: String?, _ count: Int,
    then done: @escaping @Sendable (Result<Int, SessionError>) -> Void
  ) {
    guard keeper != nil else { return done(.success(count)) }
    list(filter, after: id, limit: Self.pageOfSessions) { result in
      switch result {
      case .failure(let error): done(.failure(error))
      case .success(let page):
        self.end(page.sessions.filter(\.isStored).map(\.id)) { result in
          guard case .success(let more) = result, let next = page.next else {
            return done(result.map { count + $0 })
          }
          self.endStored(filter, after: next, count + more, then: done)
        }
      }
    }
  }

  /// Signs a user out of all clients, which ends the clients' sessions, and ends the user's own sessions.
  ///
  /// - Parameter done: gets the number of sessions that have ended.
  package func end(allOf user: String, then done: @escaping @Sendable (Result<Int, SessionError>) -> Void) {
    let own = Credential.ofUser(user)
    let sessions = table.list(SessionFilter(user: user), after: nil, now: now())
    storedOwners(of: user) { result in
      guard case .success(let owners) = result else { return done(result.map { _ in 0 }) }
      self.services.signIns.signOut(user, butOf: nil) { failure in
        if let failure { return done(.failure(failure)) }
        for session in self.table.sessions(of: own) { self.end(session) }
        self.endStored(of: owners + [own], Set(sessions.map(\.id)), sessions.count, then: done)
      }
    }
  }

  /// The user's clients that the store knows.
  private func storedOwners(
    of user: String, then done: @escaping @Sendable (Result<[Credential], SessionError>) -> Void
  ) {
    guard let keeper else { return done(.success([])) }
    keeper.committer.withStore { store throws(StoreError) in
      try store.clients(of: user).map(\.owner)
    } then: { result in
      done(result.mapError { SessionError($0) })
    }
  }

  /// Ends the sessions that owners have in the store alone.
  ///
  /// - Parameter known: the ids of sessions that have ended already.
  func endStored(
    of owners: [Credential], _ known: Set<String>, _ count: Int,
    then done: @escaping @Sendable (Result<Int, SessionError>) -> Void
  ) {
    guard let keeper, let owner = owners.first else { return done(.success(count)) }
    keeper.committer.sessions(of: owner) { result in
      switch result {
      case .failure(let error): done(.failure(SessionError(error)))
      case .success(let sessions):
        let living = sessions.filter { if case .living = $0 { !known.contains($0.id) } else { false } }
        self.end(living.map(\.id)) { result in
          guard case .success(let more) = result else { return done(result) }
          self.endStored(of: Array(owners.dropFirst()), known, count + more, then: done)
        }
      }
    }
  }

  /// Ends sessions by their ids, all at once.
  private func end(_ ids: [String], then done: @escaping @Sendable (Result<Int, SessionError>) -> Void) {
    let outcome = Locked<Result<Int, SessionError>>(.success(0))
    let group = DispatchGroup()
    for id in ids {
      group.enter()
      end(id) { result in
        outcome.withLock { outcome in
          outcome = outcome.flatMap { count in result.map { count + ($0 ? 1 : 0) } }
        }
        group.leave()
      }
    }
    group.notify(queue: .global()) { done(outcome.withLock { $0 }) }
  }
}
