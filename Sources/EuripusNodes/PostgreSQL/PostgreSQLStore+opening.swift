// SPDX-License-Identifier: MIT
import ObservableCore
package import Storing
package import ViewModels

extension PostgreSQLStore {
  package func open(as holder: String) throws(StoreError) -> UInt64 {
    checkUnused()
    try checkAddress()
    let (opened, format) = try explained { () throws(PostgreSQLFailure) in
      let opened = try connect()
      try checkIsAlone(opened)
      return (opened, try migrated(opened))
    }
    try check(format)
    try explained { () throws(PostgreSQLFailure) in
      try opened.compile(Statements.all)
      use = .owner(try register(opened, as: holder, after: 0))
    }
    connection = opened
    return boot
  }

  /// Opens a store to look at it, also while servers have it. Nothing can be claimed or committed, and nothing
  /// expires.
  ///
  /// - Throws: ``StoreError``; also if there is no store.
  package func inspect() throws(StoreError) {
    checkUnused()
    try checkAddress()
    let (opened, format) = try explained { () throws(PostgreSQLFailure) in
      let opened = try connect()
      return (opened, try self.format(opened))
    }
    try check(format)
    try explained { () throws(PostgreSQLFailure) in try opened.compile(Statements.all) }
    (connection, use) = (opened, .inspection)
  }

  package func migrate(as holder: String, _ steps: [Migration]) throws(StoreError) {
    checkUnused()
    try checkAddress()
    try check(try explained { () throws(PostgreSQLFailure) in try migrated(try connect()) })
    try migrateApp(steps)
  }

  private func checkUnused() {
    if case .none = use { return }
    stopProgram("\(place) is opened again", expected: "it to be open once", remedy: "use the store that is open")
  }

  private func checkAddress() throws(StoreError) {
    guard PostgreSQLConnection.parts(of: address) == nil else { return }
    // Not in libpq's own words: they repeat the address, which may have a password in it.
    throw StoreError(
      .unavailable,
      "the address of the session store cannot be read; expected postgres://USER@HOST:PORT/DATABASE with its special "
        + "characters as %XX, or libpq's keywords, host=HOST dbname=DATABASE user=USER")
  }

  private func check(_ format: Int64) throws(StoreError) {
    if format > PostgreSQLTables.format {
      throw StoreError(
        .newer,
        "the session store \(place) has format \(format), of a later version of this program, which knows formats up to "
          + "\(PostgreSQLTables.format). It was left as it is. Start that version, or name another database")
    }
    guard format < PostgreSQLTables.format else { return }
    throw StoreError(
      .unavailable,
      "the session store \(place) has "
        + (format == 0 ? "no tables of sessions" : "format \(format), of an earlier version of this program")
        + ". Expected format \(PostgreSQLTables.format): 'euripus store migrate' brings it there, as does a server that starts"
    )
  }

  // MARK: Connections

  static let defaults = [
    "application_name": "euripus", "client_encoding": "UTF8",
    // The first host that takes writes, if there are several.
    "target_session_attrs": "read-write",
    // These notice a server that is gone without a word.
    "connect_timeout": "5", "tcp_user_timeout": "10000", "keepalives_idle": "10", "keepalives_interval": "3",
    "keepalives_count": "3",
  ]

  /// Not options of the connection, which a pooler refuses. The plans are always the same: one row by its key. The limit
  /// on idling: a client that is cut off in a transaction must not keep its locks.
  static let settings = [
    "SET plan_cache_mode = force_generic_plan", "SET lock_timeout = '5s'",
    "SET idle_in_transaction_session_timeout = '10s'", "SET synchronous_commit = on",
  ]

  func connect() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    let connection = try PostgreSQLConnection(address, defaults: Self.defaults)
    try connection.execute(Self.settings)
    isSyncing = true
    return connection
  }

  /// Refuses a pooler that may give each transaction another of its connections to the server.
  ///
  /// A setting of one client would hold for others behind such a pooler, and a notification would not arrive.
  ///
  /// The check: a second connection looks for a setting of this one. Then this one looks for it again, while the
  /// second still holds the server's connection on which it looked.
  private func checkIsAlone(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) {
    let other = try connect()
    let mark = String(UInt64.random(in: 1 ... .max), radix: 36)
    let look = "SELECT current_setting('euripus.mark', true)"
    try connection.execute(["SET euripus.mark = '\(mark)'"])
    let seen = try other.execute(["BEGIN", look])
    let kept = try connection.execute([look])
    _ = try other.execute(["ROLLBACK"])
    guard seen[1].rows.first?.text(0) != mark, kept[0].rows.first?.text(0) == mark else {
      throw PostgreSQLFailure(state: PostgreSQLFailure.sharedConnection, message: "another client has its settings")
    }
  }

  /// Makes this opening a node. Its row is on the disk, and on the standby, before the node claims a session.
  ///
  /// - Parameter boot: the node's number is greater than this one.
  func register(
    _ connection: PostgreSQLConnection, as name: String, after boot: UInt64
  ) throws(PostgreSQLFailure) -> Opening {
    let url: PostgreSQLConnection.Value = nodeURL.map { .text($0) } ?? .null
    let answers = try connection.run([
      (Statements.begin, []), (Statements.lockNodes, []), (Statements.takeAddress, [url]),
      (Statements.addNode, [.number(boot), .text(name), url]), (Statements.forgetNodes, []), (Statements.commit, []),
    ])
    guard let row = answers[3].rows.first else { throw .connection("no number came for this node") }
    return Opening(boot: UInt64(bitPattern: row.integer(0)), token: row.text(1), name: name)
  }

  // MARK: Tables

  /// The format of the tables; 0 if there are none.
  private func format(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) -> Int64 {
    let isThere = try connection.execute(["SELECT to_regclass('euripus_store') IS NOT NULL"])
    guard isThere[0].rows.first?.integer(0) == 1 else { return 0 }
    return try connection.execute(["SELECT format FROM euripus_store"])[0].rows.first?.integer(0) ?? 0
  }

  /// Takes the lock of those who change tables. Its number is the text "Euri".
  static let migrationLock = "SELECT pg_advisory_lock(1165324905)"

  /// Brings the tables of an earlier version to the present format, in one transaction.
  ///
  /// A lock makes two servers that start at once do so one after the other. It is the connection's, not the
  /// transaction's: a connection that waits inside a transaction may still see the tables as they were before the
  /// wait.
  ///
  /// - Returns: the format that the tables have then.
  private func migrated(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) -> Int64 {
    let before = try format(connection)
    guard before < PostgreSQLTables.format else { return before }
    _ = try connection.execute([Self.migrationLock])
    let found = try format(connection)
    if found < PostgreSQLTables.format {
      if found > 0, found < PostgreSQLTables.leastBeside { try checkEarlierServersAreGone(connection) }
      let steps = PostgreSQLTables.migrations.dropFirst(Int(found)).flatMap { $0 }
      _ = try connection.execute(
        ["BEGIN"] + steps + ["UPDATE euripus_store SET format = \(PostgreSQLTables.format)", "COMMIT"])
    }
    // After a failure before this line the connection ends, and the lock with it.
    _ = try connection.execute(["SELECT pg_advisory_unlock(1165324905)"])
    return max(found, PostgreSQLTables.format)
  }

  /// Refuses to change the tables while servers run that could not read them any more.
  private func checkEarlierServersAreGone(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) {
    let names = try connection.execute([
      """
      SELECT string_agg(name, ', ' ORDER BY name) FROM euripus_nodes
        WHERE url IS NOT NULL AND seen > now() - interval '10 seconds'
      """
    ])
    guard let row = names[0].rows.first, !row.isNull(0) else { return }
    throw PostgreSQLFailure(state: PostgreSQLFailure.earlierServers, message: row.text(0))
  }
}
