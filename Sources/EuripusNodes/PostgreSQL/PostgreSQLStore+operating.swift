// SPDX-License-Identifier: MIT
package import Storing

/// The calls by which an operator looks after the store.
extension PostgreSQLStore {
  /// Always `nil`: several servers may have the store.
  package func holder() -> String? { nil }

  package func size() throws(StoreError) -> Int {
    try checkOpen()
    return try explained { () throws(PostgreSQLFailure) in
      Int(try run(Statements.size, []).rows.first?.integer(0) ?? 0)
    }
  }

  package var adviceOnDamage: String {
    "Look for the reason in PostgreSQL's log and its disk; `pg_amcheck` looks at its files. A backup has what there was"
  }

  package func list(after id: String?, limit: Int) throws(StoreError) -> [StoredSummary] {
    try checkOpen()
    return try explained { () throws(PostgreSQLFailure) in
      try run(Statements.list, [.text(id ?? ""), .integer(Int64(limit))]).rows.map { StoredSummary($0) }
    }
  }

  package func list(of client: Credential, user: String?, limit: Int) throws(StoreError) -> [StoredSummary] {
    try checkOpen()
    let user = user.flatMap { $0.canBeStored ? $0 : nil }
    let own = user.map { Credential.ofUser($0) } ?? client
    return try explained { () throws(PostgreSQLFailure) in
      try run(
        Statements.listOwned,
        [.blob(client.bytes), .blob(own.bytes), user.map { .text($0) } ?? .null, .integer(Int64(limit))]
      ).rows.map { StoredSummary($0) }
    }
  }

  package func count() throws(StoreError) -> StoreCount {
    try checkOpen()
    return try explained { () throws(PostgreSQLFailure) in
      guard let row = try run(Statements.count, []).rows.first else { return StoreCount() }
      return StoreCount(living: Int(row.integer(0)), closed: Int(row.integer(1)), setAside: Int(row.integer(2)))
    }
  }

  /// Finds the sessions that cannot be read. Changes nothing. Reads all sessions.
  ///
  /// - Parameter progress: gets the number of sessions that were looked at, now and then.
  package func check(progress: (Int) -> Void) throws(StoreError) -> [String] {
    try checkOpen()
    return try explained { () throws(PostgreSQLFailure) in
      var (findings, last, count): ([String], String, Int) = ([], "", 0)
      while true {
        let rows = try read(Statements.readAll, Statements.readAllParts, [.text(last), .integer(100)])
        for (row, session) in rows {
          guard case .failure(let unreadable) = session else { continue }
          findings.append("session \(row.id) cannot be read: \(unreadable.reason)")
        }
        guard let end = rows.last else { return findings }
        (last, count) = (end.row.id, count + rows.count)
        progress(count)
      }
    }
  }

  package func read(after id: String?, limit: Int) throws(StoreError) -> [ReadSession] {
    try checkOpen()
    return try explained { () throws(PostgreSQLFailure) in
      let values: [PostgreSQLConnection.Value] = [.text(id ?? ""), .integer(Int64(limit))]
      return try read(Statements.readAll, Statements.readAllParts, values).map { row, session in
        ReadSession(
          id: row.id, session: session.mapError { StoreError(.damaged, "it cannot be read: \($0.reason)") })
      }
    }
  }

  /// Gives the room of forgotten sessions back to the tables. PostgreSQL also does so by itself now and then.
  package func compact() throws(StoreError) {
    try checkOpen()
    try explained { () throws(PostgreSQLFailure) in
      let connection = try connected()
      for table in ["sessions", "parts", "clients", "set_aside", "parts_set_aside", "shares", "share_changes"] {
        try connection.execute(["VACUUM euripus_\(table)"])
      }
    }
  }
}

extension StoredSummary {
  /// Reads a row of the statements that list sessions.
  fileprivate init(_ row: PostgreSQLConnection.Answer.Row) {
    let closedUntil = row.integerIfAny(6)
    self.init(
      id: row.text(0), model: row.text(1), owner: Credential(bytes: row.blob(7)) ?? Credential(hashing: ""),
      claim: SessionClaim(boot: UInt64(bitPattern: row.integer(2)), number: UInt64(bitPattern: row.integer(3))),
      bytes: Int(row.integer(4)), lastUsed: closedUntil == nil ? row.integer(5) : nil, closedUntil: closedUntil,
      context: row.blobIfAny(8), userOfClient: row.isNull(9) ? nil : row.text(9))
  }
}
