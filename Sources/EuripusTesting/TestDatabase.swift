// SPDX-License-Identifier: MIT
import Foundation
import Locking
import Sessions
import SQLiteSessions
import Storing
public import ViewModels

/// A database with an app's own tables, for tests of view models whose actions write them.
///
/// ```swift
/// let database = try TestDatabase(Seats.migrations)
/// let (anna, bob) = (try ModelDriver(database: database) { Seats() }, try ModelDriver(database: database) { Seats() })
/// try anna.perform("book", 7)
/// #expect(try database.query("SELECT id FROM seats WHERE owner IS NOT NULL", as: Int.self) == [7])
/// ```
///
/// It is SQLite, in a temporary file that goes with it. The drivers' sessions are stored there, as a server stores them.
public final class TestDatabase: Sendable {
  private let directory = FileManager.default.temporaryDirectory.appendingPathComponent("euripus-\(UUID().uuidString)")
  private let tables: Locked<AppTables>
  let migrations: [Migration]
  /// The topics that the drivers' sessions tell each other.
  let topics = TopicHub()
  private let path: String
  private let threads = WorkerPool(threads: 4)

  /// The database as a server hands it to services.
  public var app: AppDatabase {
    AppDatabase(on: { [threads] in threads.run(isSlow: false, $0) }) { [path, topics] isReading, told, body in
      let tables = try AppTables(path: path, isReading: isReading)
      try tables.begin(isWriting: !isReading)
      do {
        try body(DatabaseTransaction(tables))
        try tables.commit()
      } catch {
        tables.rollBack()
        throw error
      }
      for topic in told { topics.tell(topic, by: nil) }
    }
  }

  /// - Parameter migrations: the steps that make the tables, as of the app.
  /// - Throws: an error whose text says which step failed, and why.
  public init(_ migrations: [Migration]) throws {
    Migration.check(migrations)
    self.migrations = migrations
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    path = directory.appendingPathComponent("sessions.db").path
    try SQLiteStore(path: path).migrate(as: "a test", migrations)
    tables = Locked(try AppTables(path: path))
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// Runs a statement that gives no rows, as ``DatabaseTransaction/execute(_:_:)``.
  @discardableResult
  public func execute(_ statement: SQLStatement, _ values: any SQLValueConvertible...) throws(DatabaseFailure) -> Int {
    try run(statement, values).changes
  }

  /// Runs a statement that gives rows, as ``DatabaseTransaction/query(_:_:as:)``.
  public func query<Row: Decodable>(
    _ statement: SQLStatement, _ values: any SQLValueConvertible..., as type: Row.Type = Row.self
  ) throws(DatabaseFailure) -> [Row] {
    try run(statement, values).decoded(as: type)
  }

  private func run(
    _ statement: SQLStatement, _ values: [any SQLValueConvertible]
  ) throws(DatabaseFailure) -> DatabaseRows {
    try tables.withLock { tables throws(DatabaseFailure) in try tables.run(statement.text, values.map(\.sqlValue)) }
  }

  /// A store for the session of one more driver.
  var storage: SessionStorage {
    let path = directory.appendingPathComponent("sessions.db").path
    return SessionStorage(SQLiteStore(path: path, isExclusive: false), description: path)
  }
}
