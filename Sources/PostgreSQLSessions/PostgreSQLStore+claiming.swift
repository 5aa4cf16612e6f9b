// SPDX-License-Identifier: MIT
package import Sessions

extension PostgreSQLStore {
  /// The claims that are offered do not count: the store numbers its own.
  package func claim(
    _ claims: [(id: String, claim: SessionClaim)], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void
  ) {
    do throws(StoreError) {
      try checkOpen()
      answer(try explained { () throws(PostgreSQLFailure) in try claimed(claims.map(\.id)) })
    } catch { answer(claims.map { _ in .failed(error) }) }
  }

  private func claimed(_ ids: [String]) throws(PostgreSQLFailure) -> [ClaimOutcome] {
    _ = try connected()
    // Two servers that claim the same sessions must not wait for each other: both take them in one order.
    let asked = Set(ids.filter(\.canBeStored)).sorted(by: bytewise)
    let me = PostgreSQLConnection.Value.number(boot)
    var steps: [Step] = []
    for id in asked { steps += [(Statements.claim, [.text(id), me]), (Statements.read, [.text(id)])] }
    let answers = try run(steps)
    var outcomes: [String: ClaimOutcome] = [:]
    for (index, id) in asked.enumerated() {
      guard let row = answers[2 * index + 1].rows.first else { continue }
      outcomes[id] = try outcome(PostgreSQLSessionRow(row))
    }
    return ids.map { outcomes[$0] ?? .none }
  }

  private func outcome(_ row: PostgreSQLSessionRow) throws(PostgreSQLFailure) -> ClaimOutcome {
    switch row.session {
    case .success(.living(let record)): return .held(record, row.state.claim)
    case .success(.closed(let closed)): return .closed(closed)
    case .failure(let unreadable):
      _ = try run(
        Statements.setAsideUnread, [.text(row.id), .integer(row.checksum), .text(unreadable.reason)])
      return .setAside(unreadable.error(row.id, place))
    }
  }

  package func sessions(
    of owner: Credential, then answer: @escaping @Sendable (Result<[StoredSession], StoreError>) -> Void
  ) {
    answer(
      Result { () throws(StoreError) in
        try checkOpen()
        let answer = try explained { () throws(PostgreSQLFailure) in
          try run(Statements.readOwned, [.blob(owner.bytes)])
        }
        // Those that cannot be read are left where they are: who claims one is told.
        return answer.rows.compactMap { try? PostgreSQLSessionRow($0).session.get() }
      })
  }
}

extension String {
  /// Whether PostgreSQL has such a text. A session's id has no such character; a path that somebody typed may.
  var canBeStored: Bool { !utf8.contains(0) }
}

/// The order of the table's ids.
func bytewise(_ first: String, _ second: String) -> Bool { first.utf8.lexicographicallyPrecedes(second.utf8) }

extension PostgreSQLSessionRow.Unreadable {
  func error(_ id: String, _ place: String) -> StoreError {
    StoreError(
      .damaged,
      "what the session store \(place) has of session \(id) cannot be read: \(reason). It was put aside as it is, in the table "
        + "euripus_set_aside; the session is lost unless it is put back from a backup")
  }
}
