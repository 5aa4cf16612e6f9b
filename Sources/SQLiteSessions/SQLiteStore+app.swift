// SPDX-License-Identifier: MIT
package import Storing
package import ViewModels

/// The tables of an app beside those of the sessions.
extension SQLiteStore {
  package func migrate(_ steps: [Migration]) throws(StoreError) {
    let connection = try reached()
    let done: DoneMigrations
    do throws(SQLiteFailure) { done = try doneMigrations(connection.database) } catch { throw error.explained(path) }
    let left = try done.left(of: steps, in: path).get()
    if left.steps.isEmpty {
      if left.isEmpty { return }
      // Steps that were done before stores noted them. The tables are none of this.
      do throws(SQLiteFailure) {
        return try transaction(in: connection) { () throws(SQLiteFailure) in try note(left, in: connection.database) }
      } catch { throw error.explained(path) }
    }
    let version = left.version
    var present = (number: version, statement: "")
    do throws(SQLiteFailure) {
      // As https://www.sqlite.org/lang_altertable.html has it for tables that are made anew.
      try connection.database.execute("PRAGMA foreign_keys = OFF")
      try transaction(in: connection) { () throws(SQLiteFailure) in
        for step in left.steps {
          for statement in step.statements(for: .sqlite) {
            present = (step.number, statement.text)
            _ = try connection.database.prepare(statement.text, forApp: .ofTables).result([])
          }
        }
        present.statement = StoreTables.keysToOwn
        if let row = try connection.database.prepare(present.statement).rows(body: { $0.text(0) ?? "" }).first {
          throw SQLiteFailure(
            code: SQLiteFailure.constraint, message: "a foreign key of '\(row)' names a table of the server's",
            systemError: 0)
        }
        present.statement = "PRAGMA foreign_key_check"
        if let row = try connection.database.prepare(present.statement).rows(body: { $0.text(0) ?? "" }).first {
          throw SQLiteFailure(
            code: SQLiteFailure.constraint, message: "a row of '\(row)' names one that is not there", systemError: 0)
        }
        try connection.database.execute("UPDATE euripus_app SET version = \(steps.count)")
        try note(left, in: connection.database)
      }
      try connection.database.execute("PRAGMA foreign_keys = ON")
    } catch {
      if error.databaseKind != .statement, error.databaseKind != .constraint { throw error.explained(path) }
      throw StoreError(
        .unavailable,
        """
        migration \(present.number) of the app's tables failed in \(path): SQLite says '\(error.message)' of: \
        \(present.statement). The tables are as they were, at migration \(version). Mend the step, and start again
        """)
    }
  }

  private func doneMigrations(_ database: SQLiteDatabase) throws(SQLiteFailure) -> DoneMigrations {
    let noted = try database.prepare(StoreTables.appSteps).rows { (Int($0.integer(0)), $0.text(1) ?? "") }
    return DoneMigrations(
      version: Int(try database.number(StoreTables.appVersion)),
      digests: Dictionary(noted) { first, _ in first }, .sqlite)
  }

  private func note(_ left: DoneMigrations.Left, in database: SQLiteDatabase) throws(SQLiteFailure) {
    let note = try database.prepare(StoreTables.noteAppStep)
    for step in left.notes { try note.run(.integer(Int64(step.number)), .text(step.digest)) }
  }
}
