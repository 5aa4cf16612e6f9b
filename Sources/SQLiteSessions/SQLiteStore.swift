// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
package import Sessions

/// Sessions in one file of SQLite's, for one server at a time.
///
/// The file is in WAL mode: beside it are `-wal` and `-shm` while it is open, or after the process was killed, and they
/// belong to it; `.lock` names the process that has it. By default what was committed survives the process; a batch
/// that is to survive a power cut is synced first. Nothing is ever read that nobody asks for, so opening costs the same
/// however much there is.
// @unchecked Sendable: a store is called by one thread at a time (SessionStore).
package final class SQLiteStore: OperatedStore, @unchecked Sendable {
  package let path: String
  private let vfs: String?
  private let isExclusive: Bool
  var connection: StoreConnection?
  private let lastBoot = Locked<UInt64>(0)

  /// An open store.
  final class StoreConnection {
    let database: SQLiteDatabase
    let statements: StoreStatements
    let boot: UInt64
    /// The lock, which is kept for as long as the store is open, and let go after the database.
    let lock: HolderLock?
    /// The database and its log, as long as nobody takes them away.
    let files: [FileIdentity?]
    /// Whether a commit is synced.
    var isSyncing = false
    /// The last row that was looked at for expiry.
    var lookedAt: Int64 = 0

    init(
      _ database: SQLiteDatabase, _ statements: StoreStatements, boot: UInt64, files: [FileIdentity?],
      lock: consuming HolderLock?
    ) {
      self.database = database
      self.statements = statements
      self.boot = boot
      self.files = files
      self.lock = lock
    }
  }

  /// - Parameters:
  ///   - path: of the file, which is made if there is none, in a directory that is there.
  ///   - vfs: SQLite's layer over the system's files; `nil` for the usual one.
  ///   - isExclusive: whether another server is kept out. Otherwise the claims alone see to it that each session has one
  ///     owner.
  package init(path: String, vfs: String? = nil, isExclusive: Bool = true) {
    self.path = path
    self.vfs = vfs
    self.isExclusive = isExclusive
  }

  package var boot: UInt64 { lastBoot.withLock { $0 } }

  package func close() { connection = nil }

  // MARK: Opening

  package func open(as holder: String) throws(StoreError) -> UInt64 {
    if connection != nil {
      stopProgram("\(path) is opened again", expected: "it to be open once", remedy: "use the store that is open")
    }
    // Before anything else touches the file.
    let lock = isExclusive ? try HolderLock(for: path, holder: holder) : nil
    let mayBeNew = isExclusive ? try StoreFile.prepare(path) : true
    let boot: Result<UInt64, StoreError>
    do throws(SQLiteFailure) {
      let database = try SQLiteDatabase(path: path, vfs: vfs, makes: true)
      database.setPatience(milliseconds: 2_000)
      if mayBeNew, try database.number("SELECT count(*) FROM sqlite_schema") == 0 { try create(in: database) }
      let (applicationID, format) = (
        try database.number("PRAGMA application_id"), try database.number("PRAGMA user_version")
      )
      boot = try begin(database, applicationID: applicationID, format: format, holder, lock)
    } catch {
      throw error.explained(path)
    }
    return try boot.get()
  }

  /// One transaction, before there is a log: a file whose making was interrupted is empty again when it is opened.
  private func create(in database: SQLiteDatabase) throws(SQLiteFailure) {
    do throws(SQLiteFailure) {
      try database.execute("BEGIN IMMEDIATE")
      try database.execute(StoreTables.creation)
      try database.execute("COMMIT")
    } catch {
      if database.isInTransaction { try? database.execute("ROLLBACK") }
      throw error
    }
    StoreFile.syncDirectory(of: path)
  }

  private func begin(
    _ database: SQLiteDatabase, applicationID: Int64, format: Int64, _ holder: String, _ lock: consuming HolderLock?
  ) throws(SQLiteFailure) -> Result<UInt64, StoreError> {
    do throws(StoreError) {
      try StoreFile.check(
        applicationID: Int32(truncatingIfNeeded: applicationID), format: Int32(truncatingIfNeeded: format), path)
    } catch {
      return .failure(error)
    }
    try database.execute(
      """
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON
      """)
    try migrate(database, from: format)
    let statements = try StoreStatements(database)
    let boots = try database.prepare(StoreTables.boot).rows(.text(holder)) { $0.integer(0) }
    guard let boot = boots.first else {
      return .failure(
        StoreError(
          .damaged, "the table holder of the session store \(path) has no row; expected one. Put back a backup"))
    }
    connection = StoreConnection(database, statements, boot: UInt64(bitPattern: boot), files: files, lock: lock)
    lastBoot.withLock { $0 = UInt64(bitPattern: boot) }
    return .success(UInt64(bitPattern: boot))
  }

  /// Brings the tables of an earlier version to the present format, all or nothing.
  private func migrate(_ database: SQLiteDatabase, from format: Int64) throws(SQLiteFailure) {
    guard format < StoreFile.format else { return }
    do throws(SQLiteFailure) {
      try database.execute("BEGIN IMMEDIATE")
      for step in StoreTables.migrations.dropFirst(Int(format) - 1) { try database.execute(step) }
      try database.execute("PRAGMA user_version = \(StoreFile.format)")
      try database.execute("COMMIT")
    } catch {
      if database.isInTransaction { try? database.execute("ROLLBACK") }
      throw error
    }
  }

  /// Opens a store that a server may have, to look at it: nothing can be claimed or committed, and nothing expires.
  ///
  /// - Throws: ``StoreError``; also if there is none.
  package func inspect() throws(StoreError) {
    if connection != nil {
      stopProgram("\(path) is opened again", expected: "it to be open once", remedy: "use the store that is open")
    }
    let numbers: (applicationID: Int64, format: Int64)
    do throws(SQLiteFailure) {
      let database = try SQLiteDatabase(path: path, vfs: vfs, makes: false)
      database.setPatience(milliseconds: 2_000)
      try database.execute("PRAGMA query_only = ON; PRAGMA trusted_schema = OFF")
      numbers = (try database.number("PRAGMA application_id"), try database.number("PRAGMA user_version"))
      if numbers == (Int64(StoreFile.applicationID), Int64(StoreFile.format)) {
        connection = StoreConnection(database, try StoreStatements(database), boot: 0, files: files, lock: nil)
      }
    } catch {
      throw error.explained(path)
    }
    try StoreFile.check(
      applicationID: Int32(truncatingIfNeeded: numbers.applicationID),
      format: Int32(truncatingIfNeeded: numbers.format),
      path)
    guard connection != nil else {
      throw StoreError(
        .unavailable,
        "the session store \(path) has format \(numbers.format), of an earlier version of this program. It was left as it is. "
          + "Start the server once, which brings it to format \(StoreFile.format)")
    }
  }

  // MARK: Transactions

  /// One transaction; after an error nothing of it is left.
  func transaction<Result>(
    in connection: StoreConnection, survivesPowerCut: Bool = false, _ body: () throws(SQLiteFailure) -> Result
  ) throws(SQLiteFailure) -> Result {
    let database = connection.database
    if connection.isSyncing != survivesPowerCut {
      try database.execute(survivesPowerCut ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
      connection.isSyncing = survivesPowerCut
    }
    do throws(SQLiteFailure) {
      try connection.statements.begin.run()
      let result = try body()
      try connection.statements.commit.run()
      return result
    } catch {
      // SQLite may have done so itself.
      if database.isInTransaction { try? connection.statements.rollback.run() }
      throw error
    }
  }

  /// The log is there from the first write on, and SQLite does not remove it before it is closed.
  private var files: [FileIdentity?] { [FileIdentity(path), FileIdentity(path + "-wal")] }

  /// The connection.
  ///
  /// - Throws: ``StoreError``, if the store is closed, or the file was taken away, so that what is written would be lost.
  func reached() throws(StoreError) -> StoreConnection {
    guard let connection else {
      throw StoreError(.stopped, "the session store \(path) is closed; expected it to be opened first")
    }
    guard connection.files == files else {
      throw StoreError(
        .unavailable,
        "the session store \(path), or \(path)-wal, was moved, replaced or removed while the server had it. Put it back and "
          + "restart the server; a backup is put back while no server runs")
    }
    return connection
  }
}
