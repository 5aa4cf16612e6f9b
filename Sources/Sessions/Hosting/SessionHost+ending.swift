// SPDX-License-Identifier: MIT
import Locking
import Storing
import ViewModels

/// Ends sessions for newer ones, and those that their clients leave.
extension SessionHost {
  /// Ends the sessions whose places a newer one has taken, each in its turn.
  func end(_ superseded: SessionTable.Superseded) {
    for session in superseded.inMemory {
      session.submit { isolated in
        // The session may have left for the store meanwhile.
        if isolated.hasLeft { self.endStored(session.id) } else { isolated.close(.superseded) }
      }
    }
    for id in superseded.stored { endStored(id) }
  }

  /// Ends a session whose client has signed in or out before it was told of the session.
  func end(signedOut session: Session) {
    session.submit {
      $0.end(.signedOut)
    } afterTurn: { [table] in
      table.remove(session)
    }
  }

  /// Closes a session in the store, without making its view model. A session that has come back into memory, or
  /// is on its way there, is in use and stays.
  ///
  /// - Parameters:
  ///   - asksOthers: whether another server that has the session is told to end it.
  ///   - done: gets whether there was a living session; `nil` if it is in use.
  func endStored(
    _ id: String, as closing: Closing = .superseded, asksOthers: Bool = true,
    then done: @escaping @Sendable (Result<Bool, SessionError>?) -> Void = { _ in }
  ) {
    guard let keeper else { return done(.success(false)) }
    // From here on, requests for the session wait, as for one that is being read.
    let isAway = loading.withLock { loading in
      if loading[id] != nil { return false }
      loading[id] = []
      return true
    }
    guard isAway else { return done(nil) }
    if table.has(id) {
      loaded(id, .here)
      return done(nil)
    }
    keeper.committer.claim(id) { outcome in
      if case .elsewhere = outcome {
        self.loaded(id, .here)
        return asksOthers ? self.endElsewhere(id, as: closing, keeper, then: done) : done(.success(false))
      }
      guard case .held(let record, let claim) = outcome else {
        self.loaded(id, .here)
        if case .failed(let error) = outcome { return done(.failure(SessionError(error))) }
        return done(.success(false))
      }
      self.close(record, claim, as: closing, keeper) { done($0.map { .failure($0) } ?? .success(true)) }
    }
  }

  /// Closes a claimed session in the store, without making its view model. Requests that wait for it go on then.
  func close(
    _ record: SessionRecord, _ claim: SessionClaim, as closing: Closing, _ keeper: SessionKeeper,
    then done: @escaping @Sendable (SessionError?) -> Void = { _ in }
  ) {
    let closed = ClosedSession(
      id: record.id, model: record.model, owner: record.owner, opening: record.opening, closing: closing,
      until: ClosedSession.until(closedAt: services.moment()))
    let durability = max(keeper.durability, .relaxed)
    keeper.committer.commit(StoreChange(record.id, claim, .closed(closed)), durability) { outcome in
      if case .durable = outcome { self.table.remember(closed, now: self.services.moment()) }
      keeper.committer.release(record.id, claim)
      let failure = SessionError(outcome)
      self.loaded(record.id, Fetched(failure))
      done(failure)
    }
  }

  /// Ends a session because another server has asked for it.
  func end(_ id: String, asAsked closing: Closing) {
    // An operator's end counts wherever the session goes meanwhile.
    if closing == .ended { return end(id, asksOthers: false) { _ in } }
    guard let session = table.inMemory(id) else {
      // The session may be this server's, in the store alone.
      return endStored(id, as: closing, asksOthers: false) { if $0 == nil { self.stay(id) } }
    }
    session.submit { isolated in
      if isolated.hasLeft { return self.end(id, asAsked: closing) }
      // The other server did not know that a reader waits in the session.
      if !isolated.readers.isEmpty { return self.stay(id) }
      if !isolated.isClosed { isolated.close(closing) }
    }
  }

  /// Has the store forget that a session is to make room for a newer one. It would end for that at any later look.
  private func stay(_ id: String) {
    keeper?.unheard.withLock { $0.add(staying: id) }
    hearAgain()
  }

  /// Asks the server that has a session to end it.
  private func endElsewhere(
    _ id: String, as closing: Closing, _ keeper: SessionKeeper,
    then done: @escaping @Sendable (Result<Bool, SessionError>?) -> Void
  ) {
    keeper.committer.withStore { store throws(StoreError) in
      try (store as? any SharedSessionStore)?.askToEnd(id, as: closing)
    } then: { result in
      done(result.map { true }.mapError { SessionError($0) })
    }
  }

  /// The time in which a client that leaves can come back, for example by loading its page again. After that
  /// its session counts as idle for too long. A session that is not stored ends then, so it has longer: a
  /// person may look at another page meanwhile.
  func returnTime(of session: isolated Session) -> Duration {
    min(configuration.idleTime, session.keeping == nil ? Self.patience : .seconds(30))
  }

  /// Notes that a session's client leaves, as a page does when it is closed. The client's next request undoes
  /// the note.
  package func leave(_ session: isolated Session) {
    table.noteLeaving(of: session)
    session.look(noLaterThan: now() + returnTime(of: session))
  }

  /// Notes that a reader has waited in a session until now.
  package func noteUse(of session: Session) { table.noteUse(of: session) }
}
