// SPDX-License-Identifier: MIT
package import Storing
package import ViewModels

/// A connection of its own to the app's tables in a store's file. Each statement is a transaction, unless one has begun.
// @unchecked Sendable: it has no more than a database, which one thread at a time uses.
package final class AppTables: DatabaseConnection, @unchecked Sendable {
  private let database: SQLiteDatabase

  /// - Parameters:
  ///   - path: the path of the store's file, which is there.
  ///   - isReading: whether statements that write are refused.
  package init(path: String, isReading: Bool = false) throws(StoreError) {
    do throws(SQLiteFailure) {
      database = try SQLiteDatabase(path: path, vfs: nil, makes: false)
      database.setPatience(milliseconds: 2_000)
      try database.execute("PRAGMA foreign_keys = ON")
      if isReading { try database.execute("PRAGMA query_only = ON") }
    } catch {
      throw error.explained(path)
    }
  }

  /// - Parameter isWriting: whether it waits for others that write, at once.
  package func begin(isWriting: Bool = false) throws(DatabaseFailure) {
    try execute(isWriting ? "BEGIN IMMEDIATE" : "BEGIN")
  }

  package func commit() throws(DatabaseFailure) { try execute("COMMIT") }

  package func rollBack() { if database.isInTransaction { try? database.execute("ROLLBACK") } }

  private func execute(_ statement: String) throws(DatabaseFailure) {
    do throws(SQLiteFailure) { try database.execute(statement) } catch { throw DatabaseFailure(error, statement) }
  }

  package func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    do throws(SQLiteFailure) { return try database.prepare(statement, forApp: .ofTables).result(values) } catch {
      throw DatabaseFailure(error, statement)
    }
  }
}
