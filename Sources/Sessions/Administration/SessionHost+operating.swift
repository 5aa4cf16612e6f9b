// SPDX-License-Identifier: MIT
import Locking
import Storing

/// Ends sessions for an operator, in memory and in the store. A session in memory ends in its turn, after the
/// work that is under way.
extension SessionHost {
  /// Ends one session. For a day its owner is told that an operator ended it.
  ///
  /// - Parameter asksOthers: whether another server that has the session is asked to end it. It is not if this server
  ///   was asked itself.
  /// - Returns: whether there was such a session. If it is in the store alone, the store has its end by then.
  @discardableResult
  package func end(_ id: String, asksOthers: Bool = true) async throws(SessionError) -> Bool {
    // A session that is neither in memory nor in the store alone has come back into memory meanwhile.
    while true {
      if let (session, _) = table.look(at: id, now: now()) {
        end(session, asksOthers: asksOthers)
        return true
      }
      guard keeper != nil, Randomness.isBase64URL(id, bytes: 16) else { return false }
      await waitForLoading(of: id)
      let result = await withCheckedContinuation { answer in
        endStored(id, as: .ended, asksOthers: asksOthers) { answer.resume(returning: $0) }
      }
      if let result { return try result.get() }
    }
  }

  /// Waits for a session that may be on its way into memory.
  private func waitForLoading(of id: String) async {
    await withCheckedContinuation { done in
      let isLoading = loading.withLock { loading in
        loading[id]?.append { _ in done.resume() }
        return loading[id] != nil
      }
      if !isLoading { done.resume() }
    }
  }

  private func end(_ session: Session, asksOthers: Bool = true) {
    session.submit { isolated in
      if isolated.hasLeft {
        Task(executorPreference: self.executor) { try await self.end(session.id, asksOthers: asksOthers) }
      } else if !isolated.isClosed {
        isolated.close(.ended)
      }
    }
  }

  /// Ends all sessions on a view model.
  ///
  /// - Returns: the number of sessions that have ended.
  package func end(allOn model: String) async throws(SessionError) -> Int {
    let sessions = table.sessions(on: model)
    await services.pool.done { for session in sessions { self.end(session) } }
    return try await sessions.count + endStored(SessionFilter(model: model))
  }

  /// Ends the sessions of the store that a filter takes, page by page.
  ///
  /// - Returns: the number of sessions that have ended.
  func endStored(_ filter: SessionFilter) async throws(SessionError) -> Int {
    guard keeper != nil else { return 0 }
    var (count, last) = (0, nil as String?)
    repeat {
      let page = try await list(filter, after: last, limit: Self.pageOfSessions)
      count += try await end(page.sessions.filter(\.isStored).map(\.id))
      last = page.next
    } while last != nil
    return count
  }

  /// Signs a user out of all clients, which ends the clients' sessions, and ends the user's own sessions. Those in
  /// memory end even if the store cannot be asked.
  ///
  /// - Returns: the number of sessions that have ended.
  package func end(allOf user: String) async throws(SessionError) -> Int {
    let own = Credential.ofUser(user)
    let sessions = table.list(SessionFilter(user: user), after: nil, now: now())
    let signedOut: Result<[Credential], SessionError>
    do throws(SessionError) { signedOut = .success(try await services.signIns.signOut(user, butOf: nil)) } catch {
      signedOut = .failure(error)
    }
    for session in table.sessions(of: own) { end(session) }
    let owners = try signedOut.get()
    let known = Set(sessions.map(\.id))
    return try await known.count + endStored(of: owners + [own], but: known)
  }

  /// Ends the sessions that owners have in the store alone.
  ///
  /// - Parameter known: the ids of sessions that have ended already.
  /// - Returns: the number of sessions that have ended.
  func endStored(of owners: [Credential], but known: Set<String>) async throws(SessionError) -> Int {
    guard let keeper else { return 0 }
    var count = 0
    for owner in owners {
      let living = try await keeper.sessions(of: owner) { sessions in
        sessions.filter { if case .living = $0 { !known.contains($0.id) } else { false } }.map(\.id)
      }
      count += try await end(living)
    }
    return count
  }

  /// Ends sessions by their ids, all at once.
  ///
  /// - Returns: the number of sessions that have ended.
  /// - Throws: the first failure, after all others have ended.
  private func end(_ ids: [String]) async throws(SessionError) -> Int {
    let ends = await withTaskGroup { group in
      for id in ids {
        group.addTask { () async -> Result<Bool, SessionError> in
          do throws(SessionError) { return .success(try await self.end(id)) } catch { return .failure(error) }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    var count = 0
    for end in ends where try end.get() { count += 1 }
    return count
  }
}
