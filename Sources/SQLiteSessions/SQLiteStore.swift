// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
package import Storing

/// Sessions in one SQLite file, for one server at a time.
///
/// The file is in WAL mode. While it is open, or after the process was killed, `-wal` and `-shm` are beside it and
/// belong to it. `.lock` names the process that has it.
///
/// By default a committed change survives the process. A batch that has to survive a power cut is synced before it
/// is answered. The store reads a session only when it is asked for, so opening costs the same for any number of
/// sessions.
// @unchecked Sendable: one thread at a time calls a store (SessionStore).
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
    /// The database and its log, as they were when the store was opened. Others in their place stop the store.
    let files: [FileIdentity?]
    /// The statements of the app, by their texts, which stand in its program.
    private var ofApp: [String: SQLiteDatabase.Statement] = [:]
    /// Whether commits are synced now.
    var isSyncing = false
    /// The number of the last row that was looked at for expiry; 0 before the first.
    var lookedAt: Int64 = 0
    /// The name under which `boot` is written with the first change; `nil` once it is.
    var unwrittenHolder: String?
    /// The claims that are written with their session's next change, by its id: there was no room for them.
    var unwrittenClaims: [String: (claim: SessionClaim, on: StoredState)] = [:]
    /// The server's hold on the file, for as long as the store is open. It is the last property: it ends after all
    /// statements, and with them the database.
    let lock: HolderLock?

    init(
      _ database: SQLiteDatabase, _ statements: StoreStatements, boot: UInt64, files: [FileIdentity?],
      lock: consuming HolderLock?, unwrittenHolder: String? = nil
    ) {
      self.unwrittenHolder = unwrittenHolder
      self.database = database
      self.statements = statements
      self.boot = boot
      self.files = files
      self.lock = lock
    }

    /// A statement of the app, compiled once.
    func forApp(_ text: String) throws(SQLiteFailure) -> SQLiteDatabase.Statement {
      if let statement = ofApp[text] { return statement }
      let statement = try database.prepare(text, forApp: .ofRows)
      ofApp[text] = statement
      return statement
    }
  }

  /// The connections of transactions that only read.
  let readers = SQLiteReaders()

  /// - Parameters:
  ///   - path: the path of the file. A missing file is made, but its directory has to exist.
  ///   - vfs: SQLite's layer over the system's files; `nil` for the usual one.
  ///   - isExclusive: whether another server is kept out. Otherwise only the claims keep each session with one
  ///     owner.
  package init(path: String, vfs: String? = nil, isExclusive: Bool = true) {
    self.path = StoreFile.resolved(path)
    self.vfs = vfs
    self.isExclusive = isExclusive
  }

  package var boot: UInt64 { lastBoot.withLock { $0 } }

  package func close() {
    connection = nil
    readers.close()
  }

  // MARK: Opening

  package func open(as holder: String) throws(StoreError) -> UInt64 {
    if connection != nil {
      stopProgram("\(path) is opened again", expected: "it to be open once", remedy: "use the store that is open")
    }
    // The lock comes before anything else touches the file.
    let lock = isExclusive ? try HolderLock(for: path, holder: holder) : nil
    let mayBeNew = isExclusive ? try StoreFile.prepare(path) : true
    let boot: Result<UInt64, StoreError>
    do throws(SQLiteFailure) {
      let (database, applicationID, format) = try connected(mayBeNew: mayBeNew)
      boot = try begin(database, applicationID: applicationID, format: format, holder, lock)
    } catch {
      throw error.explained(path)
    }
    return try boot.get()
  }

  private typealias Connected = (database: SQLiteDatabase, applicationID: Int64, format: Int64)

  private func connected(mayBeNew: Bool) throws(SQLiteFailure) -> Connected {
    do throws(SQLiteFailure) { return try connect(mayBeNew: mayBeNew) } catch {
      guard isExclusive, error.kind == .full else { throw error }
      // The log's index is a file too. A connection that keeps all others out has it in its memory
      // (https://www.sqlite.org/wal.html#noshm).
      return try connect(mayBeNew: mayBeNew, keepsOthersOut: true)
    }
  }

  private func connect(mayBeNew: Bool, keepsOthersOut: Bool = false) throws(SQLiteFailure) -> Connected {
    let database = try SQLiteDatabase(path: path, vfs: vfs, makes: true)
    database.setPatience(milliseconds: 2_000)
    if keepsOthersOut { try database.execute("PRAGMA locking_mode = EXCLUSIVE") }
    if mayBeNew, try database.number("SELECT count(*) FROM sqlite_schema") == 0 { try create(in: database) }
    return (database, try database.number("PRAGMA application_id"), try database.number("PRAGMA user_version"))
  }

  /// Makes the tables, in one transaction before there is a log.
  ///
  /// If it is interrupted, the file is empty again at its next opening.
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
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;
      PRAGMA foreign_keys = ON
      """)
    try migrate(database, from: format)
    let statements = try StoreStatements(database)
    let (written, isWritten) = try number(of: holder, in: database)
    guard let boot = written else {
      return .failure(
        StoreError(
          .damaged, "the table holder of the session store \(path) has no row; expected one. Put back a backup"))
    }
    connection = StoreConnection(
      database, statements, boot: UInt64(bitPattern: boot), files: files, lock: lock,
      unwrittenHolder: isWritten ? nil : holder)
    lastBoot.withLock { $0 = UInt64(bitPattern: boot) }
    return .success(UInt64(bitPattern: boot))
  }

  /// The number of this opening; `nil` if the table has no row. Where there is no room for it, it is written with the
  /// first change, and until then the sessions can be read.
  private func number(
    of holder: String, in database: SQLiteDatabase
  ) throws(SQLiteFailure) -> (boot: Int64?, isWritten: Bool) {
    do throws(SQLiteFailure) {
      return (try database.prepare(StoreTables.boot).rows(.text(holder)) { $0.integer(0) }.first, true)
    } catch {
      guard isExclusive, error.kind == .full else { throw error }
      return (try database.prepare(StoreTables.nextBoot).rows { $0.integer(0) }.first, false)
    }
  }

  /// Brings the tables of an earlier version to the present format, in one transaction.
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

  /// Opens a store to look at it, also while a server has it. Nothing can be claimed or committed, and nothing
  /// expires.
  ///
  /// - Throws: ``StoreError``; also if there is no store, or one of an earlier format.
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

  /// Runs `body` in one transaction. After an error the file is as it was before.
  func transaction<Result>(
    in connection: StoreConnection, survivesPowerCut: Bool = false, _ body: () throws(SQLiteFailure) -> Result
  ) throws(SQLiteFailure) -> Result {
    try beginTransaction(in: connection, survivesPowerCut: survivesPowerCut)
    do throws(SQLiteFailure) {
      let result = try body()
      try commitTransaction(in: connection)
      return result
    } catch {
      rollBack(in: connection)
      throw error
    }
  }

  /// Begins a transaction. After an error there is none.
  func beginTransaction(in connection: StoreConnection, survivesPowerCut: Bool) throws(SQLiteFailure) {
    let database = connection.database
    if connection.isSyncing != survivesPowerCut {
      try database.execute(survivesPowerCut ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL")
      connection.isSyncing = survivesPowerCut
    }
    do throws(SQLiteFailure) {
      try connection.statements.begin.run()
      if let holder = connection.unwrittenHolder {
        _ = try database.prepare(StoreTables.boot).rows(.text(holder)) { $0.integer(0) }
      }
    } catch {
      rollBack(in: connection)
      throw error
    }
  }

  func commitTransaction(in connection: StoreConnection) throws(SQLiteFailure) {
    try connection.statements.commit.run()
    connection.unwrittenHolder = nil
  }

  func rollBack(in connection: StoreConnection) {
    // SQLite may have rolled back by itself.
    if connection.database.isInTransaction { try? connection.statements.rollback.run() }
  }

  /// The log is there from the first write on, and SQLite does not remove it before it is closed.
  private var files: [FileIdentity?] { [FileIdentity(path), FileIdentity(path + "-wal")] }

  /// The connection.
  ///
  /// - Throws: ``StoreError``, if the store is closed, or if the file was taken away: a change would be lost in it.
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
