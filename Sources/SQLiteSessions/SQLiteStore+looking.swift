// SPDX-License-Identifier: MIT
package import Storing

extension SQLiteStore {
  package func expire(by rule: ExpiryRule, limit: Int, isInMemory: (String) -> Bool) throws(StoreError) -> Expiry {
    let connection = try reached()
    do throws(SQLiteFailure) {
      let rows = try connection.statements.readNext.rows(.integer(connection.lookedAt), .integer(Int64(limit))) {
        Look($0, now: rule.now, isInMemory: isInMemory) { rule.takes($0) }
      }
      var expiry = Expiry()
      if rows.contains(where: { $0.verdict != .stays }) {
        try transaction(in: connection) { () throws(SQLiteFailure) in
          expiry = try end(rows, in: connection)
        }
      }
      connection.lookedAt = rows.count < limit ? 0 : rows.last?.rowID ?? 0
      if connection.lookedAt == 0 {
        try connection.statements.forgetClients.run(.integer(rule.unusedSince))
        try connection.statements.forgetShares.run()
      }
      return expiry
    } catch {
      throw error.explained(path)
    }
  }

  package func due(by time: Int64, after last: DueSession?, limit: Int) throws(StoreError) -> [DueSession] {
    let connection = try reached()
    do throws(SQLiteFailure) {
      return try connection.statements.due.rows(
        .integer(time), .integer(last?.time ?? .min), .text(last?.id ?? ""),
        .integer(Int64(limit))
      ) { DueSession(id: $0.text(0) ?? "", time: $0.integer(1)) }
    } catch {
      throw error.explained(path)
    }
  }

  /// The fate of a row. It is kept in place of the row, which may be large.
  private struct Look {
    enum Verdict: Equatable { case stays, goes, isUnreadable(String) }
    let rowID: Int64
    let id: String
    let verdict: Verdict

    /// The row of a session in memory stays, also one that cannot be read: its owner writes it anew.
    init(
      _ row: SQLiteDatabase.Statement, now: Int64, isInMemory: (String) -> Bool, isOver: (SessionRecord) -> Bool
    ) {
      let row = SQLiteSessionRow(row)
      (rowID, id) = (row.rowID, row.id)
      verdict =
        switch row.session {
        case .success(.living(let record)): isOver(record) && !isInMemory(id) ? .goes : .stays
        case .success(.closed(let closed)): closed.until <= now ? .goes : .stays
        case .failure(let unreadable): isInMemory(id) ? .stays : .isUnreadable(unreadable.reason)
        }
    }
  }

  private func end(_ rows: [Look], in connection: StoreConnection) throws(SQLiteFailure) -> Expiry {
    var expiry = Expiry()
    for row in rows {
      switch row.verdict {
      case .stays: break
      case .goes:
        try forget(row.rowID, row.id, in: connection)
        expiry.forgotten += 1
      case .isUnreadable(let reason):
        try setAside(row.rowID, row.id, reason, in: connection)
        expiry.setAside.append(SQLiteSessionRow.Unreadable(reason: reason).error(row.id, path))
      }
    }
    return expiry
  }
}
