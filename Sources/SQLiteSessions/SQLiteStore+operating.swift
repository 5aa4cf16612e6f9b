// SPDX-License-Identifier: MIT
import Glibc
package import Storing
package import ViewModels

/// The calls by which an operator looks after the store.
extension SQLiteStore {
  package var place: String { path }

  package func holder() -> String? { HolderLock.holder(for: path) }

  package func migrate(as holder: String, _ steps: [Migration]) throws(StoreError) {
    _ = try open(as: holder)
    defer { close() }
    try migrateApp(steps)
  }

  package func size() throws(StoreError) -> Int {
    [path, path + "-wal"].reduce(0) { sum, path in
      var status = stat()
      return stat(path, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }

  package var adviceOnDamage: String {
    "Stop the server, keep a copy of \(path) and of \(path)-wal, and put back a backup; or move both away to start without the "
      + "sessions in it. `sqlite3 \(path) .recover` may get some back"
  }

  package func list(after id: String?, limit: Int) throws(StoreError) -> [StoredSummary] {
    let connection = try reached()
    do throws(SQLiteFailure) {
      return try connection.statements.list.rows(.text(id ?? ""), .integer(Int64(limit))) { StoredSummary($0) }
    } catch {
      throw error.explained(path)
    }
  }

  package func list(of client: Credential, user: String?, limit: Int) throws(StoreError) -> [StoredSummary] {
    let connection = try reached()
    let own = user.map { Credential.ofUser($0) } ?? client
    do throws(SQLiteFailure) {
      return try connection.statements.listOwned.rows(
        .blob(client.bytes), .blob(own.bytes), user.map { .text($0) } ?? .null, .integer(Int64(limit))
      ) { StoredSummary($0) }
    } catch {
      throw error.explained(path)
    }
  }

  package func count() throws(StoreError) -> StoreCount {
    let connection = try reached()
    do throws(SQLiteFailure) {
      return try connection.statements.count.rows {
        StoreCount(living: Int($0.integer(0)), closed: Int($0.integer(1)), setAside: Int($0.integer(2)))
      }.first ?? StoreCount()
    } catch {
      throw error.explained(path)
    }
  }

  /// Finds the faults of the file: those that SQLite sees, sessions that cannot be read, and parts without a
  /// session.
  ///
  /// Changes nothing. Reads the whole file, once or twice.
  ///
  /// - Parameter progress: gets the number of sessions that were looked at, after every 4,096.
  package func check(progress: (Int) -> Void) throws(StoreError) -> [String] {
    let connection = try reached()
    do throws(SQLiteFailure) {
      var findings = try connection.database.prepare("PRAGMA integrity_check").rows { $0.text(0) ?? "" }
      if findings == ["ok"] { findings = [] }
      let all = try connection.database.prepare(StoreTables.readAll)
      var count = 0
      findings += try all.rows { row throws(SQLiteFailure) -> String? in
        count += 1
        if count.isMultiple(of: 4_096) { progress(count) }
        let row = SQLiteSessionRow(row)
        guard case .failure(let unreadable) = try withParts(row.session, in: connection) else { return nil }
        return "session \(row.id) cannot be read: \(unreadable.reason)"
      }.compactMap { $0 }
      findings += try connection.database.prepare(StoreTables.strayParts).rows { row in
        "there are parts of session \(row.text(0) ?? "?"), which is not there"
      }
      return findings
    } catch {
      if error.kind == .damaged { return [error.explained(path).description] }
      throw error.explained(path)
    }
  }

  package func read(after id: String?, limit: Int) throws(StoreError) -> [ReadSession] {
    let connection = try reached()
    do throws(SQLiteFailure) {
      return try connection.statements.readPage.rows(.text(id ?? ""), .integer(Int64(limit))) {
        row throws(SQLiteFailure) in
        let row = SQLiteSessionRow(row)
        let session = try withParts(row.session, in: connection)
        return ReadSession(
          id: row.id, session: session.mapError { StoreError(.damaged, "it cannot be read: \($0.reason)") })
      }
    } catch {
      throw error.explained(path)
    }
  }

  /// Gives the room of forgotten sessions back to the file system.
  ///
  /// SQLite writes the file anew, for which there has to be room. The cost is that of the whole file.
  package func compact() throws(StoreError) {
    let connection = try reached()
    do throws(SQLiteFailure) {
      try connection.database.execute("VACUUM")
      try connection.database.checkpoint()
    } catch {
      throw error.explained(path)
    }
  }
}

extension StoredSummary {
  /// Reads a row of the statements of ``StoreTables`` that list sessions.
  fileprivate init(_ row: SQLiteDatabase.Statement) {
    let isClosed = !row.isNull(6)
    self.init(
      id: row.text(0) ?? "", model: row.text(1) ?? "",
      owner: Credential(bytes: row.blob(7)) ?? Credential(hashing: ""),
      claim: SessionClaim(boot: UInt64(bitPattern: row.integer(2)), number: UInt64(bitPattern: row.integer(3))),
      bytes: Int(row.integer(4)), lastUsed: isClosed ? nil : row.integer(5),
      closedUntil: isClosed ? row.integer(6) : nil, context: row.isNull(8) ? nil : row.blob(8),
      userOfClient: row.isNull(9) ? nil : row.text(9))
  }
}
