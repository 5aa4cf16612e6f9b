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
    Task(executorPreference: executor) {
      do throws(SessionError) {
        done(.success(try await self.endAway(id, as: closing, asksOthers: asksOthers, keeper)))
      } catch { done(.failure(error)) }
    }
  }

  /// Closes a session in the store for which requests wait from here on. They go on before this returns.
  private func endAway(
    _ id: String, as closing: Closing, asksOthers: Bool, _ keeper: SessionKeeper
  ) async throws(SessionError) -> Bool {
    switch await keeper.claim(id) {
    case .held(let record, let claim):
      let failure = await close(record, claim, as: closing, keeper)
      loaded(id, Fetched(failure))
      if let failure { throw failure }
      return true
    case .elsewhere:
      loaded(id, .here)
      guard asksOthers else { return false }
      try await keeper.ask { store throws(StoreError) in
        try (store as? any SharedSessionStore)?.askToEnd(id, as: closing)
      }
      return true
    case .failed(let error):
      loaded(id, .here)
      throw SessionError(error)
    case .none, .closed, .setAside:
      loaded(id, .here)
      return false
    }
  }

  /// Closes a claimed session in the store, without making its view model.
  ///
  /// - Returns: the reason why the store has not taken it.
  func close(
    _ record: SessionRecord, _ claim: SessionClaim, as closing: Closing, _ keeper: SessionKeeper
  ) async -> SessionError? {
    let closed = ClosedSession(
      id: record.id, model: record.model, owner: record.owner, opening: record.opening, closing: closing,
      until: ClosedSession.until(closedAt: services.moment()))
    let outcome = await keeper.finish(record.id, claim, .closed(closed))
    if case .durable = outcome { table.remember(closed, now: services.moment()) }
    return SessionError(outcome)
  }

  /// Ends a session because another server has asked for it.
  func end(_ id: String, asAsked closing: Closing) {
    // An operator's end counts wherever the session goes meanwhile.
    if closing == .ended {
      Task(executorPreference: executor) { try await self.end(id, asksOthers: false) }
      return
    }
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

  /// The time in which a client that leaves can come back, for example by loading its page again. After that
  /// its session counts as idle for too long. A session that is not stored ends then, so it has longer: a
  /// person may look at another page meanwhile.
  func returnTime(of session: isolated Session) -> Duration {
    min(configuration.idleTime, session.keeping == nil ? Self.patience : .seconds(30))
  }

  /// Notes that a session's client leaves, as a page does when it is closed. The client's next request undoes
  /// the note. A room has other clients.
  package func leave(_ session: isolated Session) {
    if session.isRoom { return }
    table.noteLeaving(of: session)
    session.look(noLaterThan: now() + returnTime(of: session))
  }

  /// Notes that a reader has waited in a session until now.
  package func noteUse(of session: Session) { table.noteUse(of: session) }
}
