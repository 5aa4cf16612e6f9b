// SPDX-License-Identifier: MIT
import CSQLite
import ViewModels

/// One connection to an SQLite file, and its statements. Only this file of the sources has SQLite's pointers.
///
/// One thread at a time uses it.
final class SQLiteDatabase {
  private let handle: OpaquePointer

  /// Opens the file.
  ///
  /// - Parameters:
  ///   - vfs: the name of SQLite's layer over the system's files; `nil` for the usual one.
  ///   - makes: whether a missing file is made.
  init(path: String, vfs: String?, makes: Bool) throws(SQLiteFailure) {
    var opened: OpaquePointer?
    // NOMUTEX: the store's caller sees to it that one thread at a time is here.
    // EXRESCODE: an error has its extended code.
    let flags =
      SQLITE_OPEN_READWRITE | (makes ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      | SQLITE_OPEN_PRIVATECACHE
    let code = sqlite3_open_v2(path, &opened, flags, vfs)
    guard let opened else { throw SQLiteFailure(code: code, message: "no memory", systemError: 0) }
    handle = opened
    guard code == SQLITE_OK else { throw failure(code) }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Runs one or more statements that have no parameters and give no rows.
  func execute(_ sql: String) throws(SQLiteFailure) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  func prepare(_ sql: String) throws(SQLiteFailure) -> Statement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(code) }
    return Statement(statement, of: self)
  }

  /// The statements that an app may run.
  enum AppStatements {
    /// Those that read and write rows.
    case ofRows
    /// Those that make tables as well.
    case ofTables
  }

  /// Prepares one statement of an app, which has its own tables and no transactions. Anything else is SQLITE_AUTH.
  func prepare(_ sql: String, forApp allowed: AppStatements) throws(SQLiteFailure) -> Statement {
    switch allowed {
    case .ofRows:
      sqlite3_set_authorizer(
        handle, { _, action, first, second, _, _ in isAllowed(action, first, second, makesTables: false) }, nil)
    case .ofTables:
      sqlite3_set_authorizer(
        handle, { _, action, first, second, _, _ in isAllowed(action, first, second, makesTables: true) }, nil)
    }
    defer { sqlite3_set_authorizer(handle, nil, nil) }
    var (statement, another): (OpaquePointer?, OpaquePointer?)
    let code = sql.withCString { start in
      var tail: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(handle, start, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, &tail)
      // The rest may be a comment, which is no statement.
      return code == SQLITE_OK ? sqlite3_prepare_v3(handle, tail, -1, 0, &another, nil) : code
    }
    let prepared = statement.map { Statement($0, of: self) }
    sqlite3_finalize(another)
    guard code == SQLITE_OK else { throw failure(code) }
    guard let prepared, another == nil else {
      throw SQLiteFailure(code: SQLITE_ERROR, message: "expected one statement: \(sql)", systemError: 0)
    }
    return prepared
  }

  /// Asks something while a statement runs.
  private final class Watch {
    let isOver: () -> Bool
    init(_ isOver: @escaping () -> Bool) { self.isOver = isOver }
  }

  /// Runs `body`, within which a statement fails with SQLITE_INTERRUPT once `isOver` says so. It is asked after every 10,000
  /// steps of SQLite's machine.
  fileprivate func watching<Result>(
    _ isOver: @escaping () -> Bool, _ body: () throws(SQLiteFailure) -> Result
  ) throws(SQLiteFailure) -> Result {
    let watch = Watch(isOver)
    sqlite3_progress_handler(
      handle, 10_000,
      { watch in
        guard let watch else { return 0 }
        return Unmanaged<Watch>.fromOpaque(watch).takeUnretainedValue().isOver() ? 1 : 0
      }, Unmanaged.passUnretained(watch).toOpaque())
    defer { withExtendedLifetime(watch) { sqlite3_progress_handler(handle, 0, nil, nil) } }
    return try body()
  }

  /// Whether a foreign key does not hold that is looked at only when the transaction ends.
  var hasOpenForeignKeys: Bool {
    var (current, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &current, &highest, 0)
    return current != 0
  }

  /// The number in the first column of a statement's first row.
  func number(_ sql: String) throws(SQLiteFailure) -> Int64 {
    let statement = try prepare(sql)
    defer { statement.reset() }
    guard try statement.step() else {
      throw SQLiteFailure(code: SQLITE_ERROR, message: "'\(sql)' gave nothing", systemError: 0)
    }
    return statement.integer(0)
  }

  /// Whether a transaction has begun and is not over.
  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Sets how long a statement waits for another connection that writes.
  ///
  /// That connection is an operator's: no other server has the file.
  func setPatience(milliseconds: Int32) { sqlite3_busy_timeout(handle, milliseconds) }

  /// Writes the whole log into the file, and truncates the log.
  func checkpoint() throws(SQLiteFailure) {
    let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// The number of rows that all statements have inserted, updated or deleted since the database was opened.
  fileprivate var changes: Int64 { sqlite3_total_changes64(handle) }

  private func failure(_ code: Int32) -> SQLiteFailure {
    SQLiteFailure(code: code, message: String(cString: sqlite3_errmsg(handle)), systemError: systemError(of: code))
  }

  /// The system's error number.
  ///
  /// SQLite does not tell it for a commit that cannot write, but its files keep it. The log is asked first, as a
  /// commit writes the log.
  private func systemError(of code: Int32) -> Int32 {
    let isWriting = code == SQLiteFailure.writing || code == SQLiteFailure.cutting || code == SQLiteFailure.syncing
    guard isWriting else { return sqlite3_system_errno(handle) }
    for key in [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER] {
      var file: UnsafeMutablePointer<sqlite3_file>?
      var error: Int32 = 0
      guard sqlite3_file_control(handle, "main", key, &file) == SQLITE_OK, let methods = file?.pointee.pMethods,
        methods.pointee.xFileControl?(file, SQLITE_FCNTL_LAST_ERRNO, &error) == SQLITE_OK, error != 0
      else { continue }
      return error
    }
    return sqlite3_system_errno(handle)
  }

  /// A statement that is compiled once and runs many times.
  final class Statement {
    enum Value {
      case null
      case integer(Int64)
      case real(Double)
      case text(String)
      case blob([UInt8])
    }

    private let handle: OpaquePointer
    private let database: SQLiteDatabase

    fileprivate init(_ handle: OpaquePointer, of database: SQLiteDatabase) {
      self.handle = handle
      self.database = database
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs a statement that gives no rows.
    func run(_ values: Value...) throws(SQLiteFailure) {
      try bind(values)
      defer { reset() }
      _ = try step()
    }

    /// Runs a statement. Gives the values that `body` makes of its rows.
    func rows<Row>(
      _ values: Value..., body: (Statement) throws(SQLiteFailure) -> Row
    ) throws(SQLiteFailure) -> [Row] {
      try bind(values)
      defer { reset() }
      var rows: [Row] = []
      while try step() { rows.append(try body(self)) }
      return rows
    }

    /// Runs a statement of an app, with its rows' values as they are stored.
    ///
    /// - Parameter isOver: whether the statement is to fail with SQLITE_INTERRUPT.
    func result(
      _ values: [SQLValue], until isOver: @escaping () -> Bool = { false }
    ) throws(SQLiteFailure) -> DatabaseRows {
      let count = Int(sqlite3_bind_parameter_count(handle))
      guard values.count == count else {
        throw SQLiteFailure(
          code: SQLITE_RANGE, message: "the statement has \(count) '?', and \(values.count) values came with it",
          systemError: 0)
      }
      try bind(values.map(Value.init))
      defer { reset() }
      let before = database.changes
      var result = try database.watching(isOver) { () throws(SQLiteFailure) in
        var result = DatabaseRows()
        var isRow = try step()
        // The first step may have compiled it anew, for tables that are others by now.
        let columns = 0..<sqlite3_column_count(handle)
        result.columns = columns.map { sqlite3_column_name(handle, $0).map { String(cString: $0) } ?? "" }
        while isRow {
          result.rows.append(columns.map(value))
          isRow = try step()
        }
        return result
      }
      result.changes = Int(database.changes - before)
      return result
    }

    private func value(_ column: Int32) -> SQLValue {
      switch sqlite3_column_type(handle, column) {
      case SQLITE_INTEGER: .integer(integer(column))
      case SQLITE_FLOAT: .real(sqlite3_column_double(handle, column))
      case SQLITE_TEXT: .text(String(decoding: blob(column), as: UTF8.self))
      case SQLITE_BLOB: .blob(blob(column))
      default: .null
      }
    }

    private func bind(_ values: [Value]) throws(SQLiteFailure) {
      for (index, value) in zip(Int32(1)..., values) {
        let code =
          switch value {
          case .null: sqlite3_bind_null(handle, index)
          case .integer(let integer): sqlite3_bind_int64(handle, index, integer)
          case .real(let real): sqlite3_bind_double(handle, index, real)
          case .text(let text):
            sqlite3_bind_text64(handle, index, text, UInt64(text.utf8.count), copied, UInt8(SQLITE_UTF8))
          case .blob(let bytes): bind(bytes, index)
          }
        guard code == SQLITE_OK else { throw database.failure(code) }
      }
    }

    private func bind(_ bytes: [UInt8], _ index: Int32) -> Int32 {
      // SQLite takes a blob without an address for NULL.
      if bytes.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
      return bytes.withUnsafeBytes { sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), copied) }
    }

    /// - Returns: whether there is a row.
    fileprivate func step() throws(SQLiteFailure) -> Bool {
      switch sqlite3_step(handle) {
      case SQLITE_ROW: return true
      case SQLITE_DONE: return false
      case let code: throw database.failure(code)
      }
    }

    /// Makes it ready to run again, and lets its values go: they may be large.
    fileprivate func reset() {
      sqlite3_reset(handle)
      sqlite3_clear_bindings(handle)
    }

    // MARK: The columns of a row, from 0

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// A column's text; `nil` if its bytes are not UTF-8.
    func text(_ column: Int32) -> String? { String(validating: blob(column), as: UTF8.self) }

    func blob(_ column: Int32) -> [UInt8] {
      let bytes = sqlite3_column_blob(handle, column)
      return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(handle, column))))
    }
  }
}

extension SQLiteDatabase.Statement.Value {
  fileprivate init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .real(real)
    case .text(let text): self = .text(text)
    case .blob(let bytes): self = .blob(bytes)
    }
  }
}

/// Whether an app's statement may do something, with the names that it does it to
/// (https://www.sqlite.org/c3ref/c_alter_table.html). No name may be one of the store's own.
private func isAllowed(
  _ action: Int32, _ first: UnsafePointer<CChar>?, _ second: UnsafePointer<CChar>?, makesTables: Bool
) -> Int32 {
  let isOwn = [first, second].contains { name in name.map { StoreTables.isOwn(String(cString: $0)) } == true }
  switch action {
  case SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_INSERT, SQLITE_UPDATE, SQLITE_DELETE:
    return isOwn ? SQLITE_DENY : SQLITE_OK
  case SQLITE_CREATE_TABLE, SQLITE_CREATE_INDEX, SQLITE_CREATE_TRIGGER, SQLITE_CREATE_VIEW, SQLITE_CREATE_VTABLE,
    SQLITE_DROP_TABLE, SQLITE_DROP_INDEX, SQLITE_DROP_TRIGGER, SQLITE_DROP_VIEW, SQLITE_DROP_VTABLE, SQLITE_ALTER_TABLE,
    SQLITE_REINDEX, SQLITE_ANALYZE:
    return makesTables && !isOwn ? SQLITE_OK : SQLITE_DENY
  default: return SQLITE_DENY
  }
}

/// SQLITE_TRANSIENT, which tells SQLite to copy the value.
private var copied: sqlite3_destructor_type? { euripus_sqlite_copied() }

/// An error that SQLite gave in place of a result.
struct SQLiteFailure: Error {
  /// The extended result code (https://www.sqlite.org/rescode.html).
  let code: Int32
  let message: String
  /// The system's last error number; 0 if SQLite was not asked for it.
  let systemError: Int32

  // SQLITE_IOERR_WRITE, _TRUNCATE and _FSYNC. Swift does not import them, as C has them as expressions.
  static let writing = SQLITE_IOERR | 3 << 8
  static let cutting = SQLITE_IOERR | 6 << 8
  static let syncing = SQLITE_IOERR | 4 << 8

  /// The plain result code.
  var primary: Int32 { code & 0xFF }
}
