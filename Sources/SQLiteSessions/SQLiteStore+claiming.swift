// SPDX-License-Identifier: MIT
package import Storing

extension SQLiteStore {
  package func claim(
    _ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void
  ) {
    answer(claimed(claims))
  }

  private func claimed(_ claims: [ClaimOffer]) -> [ClaimOutcome] {
    let connection: StoreConnection
    do throws(StoreError) { connection = try reached() } catch {
      return claims.map { _ in .failed(error) }
    }
    do throws(SQLiteFailure) {
      // Not synced: a power cut that undoes a claim has also ended the server that made it.
      return try transaction(in: connection) { () throws(SQLiteFailure) in
        var outcomes: [ClaimOutcome] = []
        for offer in claims { outcomes.append(try claim(offer.id, offer.claim, in: connection)) }
        return outcomes
      }
    } catch {
      if claims.count > 1, error.kind == .full || error.kind == .damaged { return claims.flatMap { claimed([$0]) } }
      if error.kind == .full, let first = claims.first, let read = try? unwritten(first, in: connection) {
        return [read]
      }
      return claims.map { _ in .failed(error.explained(path)) }
    }
  }

  private func claim(
    _ id: String, _ claim: SessionClaim, in connection: StoreConnection
  ) throws(SQLiteFailure) -> ClaimOutcome {
    guard let row = try connection.statements.read.rows(.text(id), body: { SQLiteSessionRow($0) }).first else {
      return .none
    }
    // The checksum proves that a row is whole, but a damaged index may lead to another session's row.
    if row.id != id {
      return .failed(
        StoreError(
          .damaged,
          "the session store \(path) is damaged: by its index session \(id) is in the row of \(row.id). Stop the server, "
            + "keep a copy of the file and of \(path)-wal, and put back a backup, or ask 'sqlite3 \(path) REINDEX'"))
    }
    switch try withParts(row.session, in: connection) {
    case .failure(let unreadable):
      try setAside(row.rowID, id, unreadable.reason, in: connection)
      return .setAside(unreadable.error(id, path))
    case .success(.closed(let closed)): return .closed(closed)
    case .success(.living(let record)):
      // This server has the session already, so no late change of another owner is possible. Nothing has to be
      // written, and a session can be read where there is no room.
      if row.state.claim.boot == connection.boot { return .held(record, row.state.claim) }
      try write(claim, on: row.rowID, in: connection)
      return .held(record, claim)
    }
  }

  func write(_ claim: SessionClaim, on row: Int64, in connection: StoreConnection) throws(SQLiteFailure) {
    try connection.statements.claim.run(
      .integer(row), .integer(Int64(bitPattern: claim.boot)), .integer(Int64(bitPattern: claim.number)))
  }

  /// Reads a session where there is no room for a claim. The claim is written with the session's next change, if
  /// nobody has written the session until then.
  private func unwritten(
    _ offer: ClaimOffer, in connection: StoreConnection
  ) throws(SQLiteFailure) -> ClaimOutcome? {
    guard let row = try connection.statements.read.rows(.text(offer.id), body: { SQLiteSessionRow($0) }).first,
      row.id == offer.id, case .success(.living(let record)) = try withParts(row.session, in: connection)
    else { return nil }
    connection.unwrittenClaims[offer.id] = (offer.claim, row.state)
    return .held(record, offer.claim)
  }

  package func read(_ id: String) throws(StoreError) -> StoredSession? {
    let connection = try reached()
    do throws(SQLiteFailure) {
      let rows = try connection.statements.read.rows(.text(id)) { SQLiteSessionRow($0) }
      guard let row = rows.first else { return nil }
      let session = try withParts(row.session, in: connection)
      return try? session.get()
    } catch {
      throw error.explained(path)
    }
  }

  package func sessions(
    of owner: Credential, then answer: @escaping @Sendable (Result<[OwnedSession], StoreError>) -> Void
  ) {
    answer(Result { () throws(StoreError) in try owned(by: owner) })
  }

  private func owned(by owner: Credential) throws(StoreError) -> [OwnedSession] {
    let connection = try reached()
    do throws(SQLiteFailure) {
      let rows = try connection.statements.readOwned.rows(.blob(owner.bytes)) { SQLiteSessionRow($0) }
      return rows.compactMap { try? $0.session.get() }.filter { $0.owner == owner }.map { OwnedSession($0) }
    } catch {
      throw error.explained(path)
    }
  }
}
