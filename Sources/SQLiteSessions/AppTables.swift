// SPDX-License-Identifier: MIT
package import Storing
package import ViewModels

/// A connection of its own to the app's tables in a store's file. Each statement is a transaction.
// @unchecked Sendable: it has no more than a database, which one thread at a time uses.
package final class AppTables: DatabaseConnection, @unchecked Sendable {
  private let database: SQLiteDatabase

  /// - Parameter path: the path of the store's file, which is there.
  package init(path: String) throws(StoreError) {
    do throws(SQLiteFailure) {
      database = try SQLiteDatabase(path: path, vfs: nil, makes: false)
      database.setPatience(milliseconds: 2_000)
      try database.execute("PRAGMA foreign_keys = ON")
    } catch {
      throw error.explained(path)
    }
  }

  package func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    do throws(SQLiteFailure) { return try database.prepare(statement, forApp: .ofTables).result(values) } catch {
      throw DatabaseFailure(error, statement)
    }
  }
}
