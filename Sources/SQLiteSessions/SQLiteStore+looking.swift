// SPDX-License-Identifier: MIT
package import Sessions

extension SQLiteStore {
  package func expire(
    now: Int64, unusedSince: Int64, limit: Int, isInMemory: (String) -> Bool
  ) throws(StoreError) -> Expiry {
    let connection = try reached()
    do throws(SQLiteFailure) {
      let rows = try connection.statements.readNext.rows(.integer(connection.lookedAt), .integer(Int64(limit))) {
        Look($0, now: now, unusedSince: unusedSince, isInMemory: isInMemory)
      }
      var expiry = Expiry()
      if rows.contains(where: { $0.verdict != .stays }) {
        try transaction(in: connection) { () throws(SQLiteFailure) in
          expiry = try end(rows, in: connection)
        }
      }
      connection.lookedAt = rows.count < limit ? 0 : rows.last?.rowID ?? 0
      if connection.lookedAt == 0 { try connection.statements.forgetClients.run(.integer(unusedSince)) }
      return expiry
    } catch {
      throw error.explained(path)
    }
  }

  /// The fate of a row; the row itself may be large.
  private struct Look {
    enum Verdict: Equatable { case stays, goes, isUnreadable(String) }
    let rowID: Int64
    let id: String
    let verdict: Verdict

    init(_ row: SQLiteDatabase.Statement, now: Int64, unusedSince: Int64, isInMemory: (String) -> Bool) {
      let row = StoredRow(row)
      (rowID, id) = (row.rowID, row.id)
      verdict =
        switch row.session {
        case .success(.living(let record)): record.lastUsed < unusedSince && !isInMemory(record.id) ? .goes : .stays
        case .success(.closed(let closed)): closed.until <= now ? .goes : .stays
        case .failure(let unreadable): .isUnreadable(unreadable.reason)
        }
    }
  }

  private func end(_ rows: [Look], in connection: StoreConnection) throws(SQLiteFailure) -> Expiry {
    var expiry = Expiry()
    for row in rows {
      switch row.verdict {
      case .stays: break
      case .goes:
        try connection.statements.delete.run(.integer(row.rowID))
        expiry.forgotten += 1
      case .isUnreadable(let reason):
        try setAside(row.rowID, reason, in: connection)
        expiry.setAside.append(StoredRow.Unreadable(reason: reason).error(row.id, path))
      }
    }
    return expiry
  }

  // MARK: The operator

  /// The process that has the store at `path` now; `nil` if nobody has it.
  package static func holder(of path: String) -> String? { HolderLock.holder(for: path) }

  package func list(after id: String?, limit: Int) throws(StoreError) -> [StoredSummary] {
    let connection = try reached()
    do throws(SQLiteFailure) {
      return try connection.statements.list.rows(.text(id ?? ""), .integer(Int64(limit))) { row in
        let isClosed = !row.isNull(6)
        return StoredSummary(
          id: row.text(0) ?? "", model: row.text(1) ?? "",
          claim: SessionClaim(boot: UInt64(bitPattern: row.integer(2)), number: UInt64(bitPattern: row.integer(3))),
          bytes: Int(row.integer(4)), lastUsed: isClosed ? nil : row.integer(5),
          closedUntil: isClosed ? row.integer(6) : nil)
      }
    } catch {
      throw error.explained(path)
    }
  }

  package func count() throws(StoreError) -> StoreCount {
    let connection = try reached()
    do throws(SQLiteFailure) {
      return try connection.statements.count.rows {
        StoreCount(living: Int($0.integer(0)), closed: Int($0.integer(1)), setAside: Int($0.integer(2)))
      }.first ?? StoreCount()
    } catch {
      throw error.explained(path)
    }
  }

  /// Everything that is wrong with the file: what SQLite finds, and each session that cannot be read. Changes nothing.
  ///
  /// Reads all of it, once or twice.
  ///
  /// - Parameter progress: told now and then how many sessions were looked at.
  package func check(progress: (Int) -> Void = { _ in }) throws(StoreError) -> [String] {
    let connection = try reached()
    do throws(SQLiteFailure) {
      var findings = try connection.database.prepare("PRAGMA integrity_check").rows { $0.text(0) ?? "" }
      if findings == ["ok"] { findings = [] }
      let all = try connection.database.prepare(StoreTables.readAll)
      var count = 0
      findings += try all.rows { row -> String? in
        count += 1
        if count.isMultiple(of: 4_096) { progress(count) }
        let row = StoredRow(row)
        guard case .failure(let unreadable) = row.session else { return nil }
        return "session \(row.id) cannot be read: \(unreadable.reason)"
      }.compactMap { $0 }
      return findings
    } catch {
      if error.kind == .damaged { return [error.explained(path).description] }
      throw error.explained(path)
    }
  }

  /// Gives back to the file system what forgotten sessions took: the file is written anew, for which there has to be room.
  package func compact() throws(StoreError) {
    let connection = try reached()
    do throws(SQLiteFailure) {
      try connection.database.execute("VACUUM")
      try connection.database.checkpoint()
    } catch {
      throw error.explained(path)
    }
  }
}
