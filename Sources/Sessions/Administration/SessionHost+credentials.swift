// SPDX-License-Identifier: MIT
package import Storing

/// Ending credentials: of some clients, or of all.
extension SessionHost {
  /// Ends clients: their credentials, and their sessions with them.
  ///
  /// - Parameter done: gets the number of sessions that have ended.
  package func end(_ clients: [Credential], then done: @escaping @Sendable (Result<Int, SessionError>) -> Void) {
    let known = Set(clients.flatMap { table.sessions(of: $0) }.map(\.id))
    services.signIns.end(clients) { result in
      guard case .success(let count) = result else { return done(result) }
      self.endStored(of: clients, known, count, then: done)
    }
  }

  /// Ends a client: its credential, and its sessions with it.
  ///
  /// - Parameters:
  ///   - name: the client's name in lists of sessions, which view models know too.
  ///   - done: gets the number of sessions that have ended.
  package func end(client name: String, then done: @escaping @Sendable (Result<Int, SessionError>) -> Void) {
    storedOwners(named: name, after: nil, Set(table.owners(named: name))) { result in
      guard case .success(let owners) = result else { return done(result.map { _ in 0 }) }
      self.end(Array(owners), then: done)
    }
  }

  /// Ends the credentials of all clients, and all sessions.
  ///
  /// - Parameter done: gets the number of sessions that have ended.
  package func endAll(then done: @escaping @Sendable (Result<Int, SessionError>) -> Void) {
    services.signIns.endAll { result in
      guard case .success(let count) = result else { return done(result) }
      self.endStored(SessionFilter(), after: nil, count, then: done)
    }
  }

  /// The owners whose name this is: those that are known, and those that have sessions in the store. Reads the
  /// store page by page.
  private func storedOwners(
    named name: String, after id: String?, _ known: Set<Credential>,
    then done: @escaping @Sendable (Result<Set<Credential>, SessionError>) -> Void
  ) {
    guard let keeper else { return done(.success(known)) }
    keeper.committer.withStore { store throws(StoreError) in
      try store.list(after: id, limit: Self.pageOfSessions)
    } then: { result in
      switch result {
      case .failure(let error): done(.failure(SessionError(error)))
      case .success(let page):
        let owners = known.union(page.lazy.map(\.owner).filter { $0.name == name })
        guard page.count == Self.pageOfSessions else { return done(.success(owners)) }
        self.storedOwners(named: name, after: page.last?.id, owners, then: done)
      }
    }
  }
}
