// SPDX-License-Identifier: MIT
import Locking
import Storing
import ViewModels

/// The connections of one store that only read. They see what is committed, and hold nobody up.
final class SQLiteReaders: Sendable {
  /// The connections that are kept while nobody uses them.
  private static let mostIdle = 4

  private let idle = Locked<[AppTables]>([])

  func take(_ path: String) throws(StoreError) -> AppTables {
    if let tables = idle.withLock({ $0.popLast() }) { return tables }
    return try AppTables(path: path, isReading: true)
  }

  func giveBack(_ tables: AppTables) {
    idle.withLock { idle in if idle.count < Self.mostIdle { idle.append(tables) } }
  }

  func close() { idle.withLock { $0 = [] } }
}

/// A transaction that only reads, on a connection of its own.
// @unchecked Sendable: one thread at a time uses a transaction (StoreTransaction).
final class SQLiteReading: StoreTransaction, @unchecked Sendable {
  private let readers: SQLiteReaders
  private var tables: AppTables?

  init(_ readers: SQLiteReaders, _ path: String) throws(DatabaseFailure) {
    self.readers = readers
    let tables: AppTables
    do throws(StoreError) { tables = try readers.take(path) } catch {
      throw DatabaseFailure(.unavailable, error.description)
    }
    try tables.begin()
    self.tables = tables
  }

  func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    guard let tables else {
      throw DatabaseFailure(.statement, "the transaction is over, and its database cannot be used any more")
    }
    return try tables.run(statement, values)
  }

  func seal() {}

  func commit(_: StoreChange) -> CommitOutcome {
    .refused(StoreError(.unavailable, "a session was to be stored by a transaction that only reads"))
  }

  func commit(telling _: [String]) throws(DatabaseFailure) { rollBack() }

  func rollBack() {
    guard let tables else { return }
    self.tables = nil
    tables.rollBack()
    readers.giveBack(tables)
  }
}
