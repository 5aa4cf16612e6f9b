// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// Looks at sessions for an operator. A look changes nothing, and does not count as a use.
extension SessionHost {
  /// The most sessions of a page.
  package static let pageOfSessions = 1_000

  /// The most rows of the store that are read for one page: commits wait meanwhile, even if the filter takes
  /// few rows.
  private static let rowsOfPage = 10_000

  /// The sessions in memory and those that are in the store alone.
  ///
  /// - Parameters:
  ///   - id: the last id of the page before; `nil` for the first page.
  ///   - limit: the most sessions of this page, which may have fewer although more sessions follow.
  package func list(
    _ filter: SessionFilter, after id: String?, limit: Int,
    then done: @escaping @Sendable (Result<SessionPage, SessionError>) -> Void
  ) {
    guard let keeper else {
      return done(.success(Self.page(table.list(filter, after: id, now: now()), limit, upTo: nil)))
    }
    let seconds = services.moment().milliseconds / 1_000
    keeper.committer.withStore { store throws(StoreError) in
      var found: [SessionSummary] = []
      var last = id
      for _ in 0..<Self.rowsOfPage / Self.pageOfSessions {
        let rows = try store.list(after: last, limit: Self.pageOfSessions)
        found += rows.compactMap { SessionSummary($0, now: seconds) }.filter { filter.takes($0) }
        if rows.count < Self.pageOfSessions { return (found, nil as String?) }
        last = rows.last?.id
        if found.count >= limit { break }
      }
      return (found, last)
    } then: { result in
      done(
        result.mapError { SessionError($0) }.map { stored, last in
          Self.page(self.table.list(filter, after: id, and: stored, now: self.now()), limit, upTo: last)
        })
    }
  }

  /// - Parameter last: the last id that was read from the store; `nil` if all of it was read.
  private static func page(_ sessions: [SessionSummary], _ limit: Int, upTo last: String?) -> SessionPage {
    let known = sessions.filter { last == nil || $0.id <= last ?? "" }.sorted { $0.id < $1.id }
    let page = Array(known.prefix(limit))
    return SessionPage(sessions: page, next: known.count > limit ? page.last?.id : last)
  }

  /// Looks into a session. A session that is in the store alone is read, but its view model is not made.
  ///
  /// - Parameter done: gets `nil` if there is no such session. It runs in the session's turn if that is in
  ///   memory.
  package func look(
    at id: String, then done: @escaping @Sendable (Result<SessionLook?, SessionError>) -> Void
  ) {
    guard let (session, summary) = table.look(at: id, now: now()) else { return lookIntoStore(at: id, then: done) }
    session.submit { isolated in
      if isolated.hasLeft { return self.lookIntoStore(at: id, then: done) }
      let snapshot = isolated.isClosed ? nil : isolated.document(url: nil)
      done(.success(snapshot.map { SessionLook(summary: summary, snapshot: $0, values: nil) }))
    }
  }

  private func lookIntoStore(
    at id: String, then done: @escaping @Sendable (Result<SessionLook?, SessionError>) -> Void
  ) {
    guard let keeper, Randomness.isBase64URL(id, bytes: 16) else { return done(.success(nil)) }
    let seconds = services.moment().milliseconds / 1_000
    keeper.committer.withStore { store throws(StoreError) in
      // The last character holds two bits of the id, so at most four ids share the characters before it.
      let rows = try store.list(after: String(id.dropLast()), limit: 4)
      return rows.first { $0.id == id }
    } then: { result in
      switch result {
      case .failure(let error): done(.failure(SessionError(error)))
      case .success(let stored):
        guard let stored, let summary = SessionSummary(stored, now: seconds) else { return done(.success(nil)) }
        self.read(stored, summary, keeper, then: done)
      }
    }
  }

  /// Reads the values of a session that is in the store alone. It is not claimed, so the node that has it keeps
  /// it.
  private func read(
    _ stored: StoredSummary, _ summary: SessionSummary, _ keeper: SessionKeeper,
    then done: @escaping @Sendable (Result<SessionLook?, SessionError>) -> Void
  ) {
    keeper.committer.withStore { store throws(StoreError) in
      try store.read(stored.id)
    } then: { result in
      done(
        result.mapError { SessionError($0) }.map { session in
          guard case .living(let record)? = session else { return nil }
          return SessionLook(summary: summary, snapshot: nil, values: record.wholeText)
        })
    }
  }
}

extension SessionSummary {
  /// - Parameter now: seconds since 1970.
  /// - Returns: `nil` for a closed session.
  fileprivate init?(_ stored: StoredSummary, now: Int64) {
    guard let lastUsed = stored.lastUsed else { return nil }
    self.init(
      id: stored.id, model: stored.model, client: stored.owner.name, user: stored.user, age: max(0, now - lastUsed),
      bytes: stored.bytes, readers: 0,
      isStored: true)
  }
}
