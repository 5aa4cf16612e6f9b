// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// The parts of sessions' states. Each part is a row of its own.
extension SQLiteStore {
  /// Adds a living session's parts to it. A session without its right parts cannot be read.
  func withParts(
    _ session: Result<StoredSession, SQLiteSessionRow.Unreadable>, in connection: StoreConnection
  ) throws(SQLiteFailure) -> Result<StoredSession, SQLiteSessionRow.Unreadable> {
    guard case .success(.living(var record)) = session else { return session }
    let parts = try connection.statements.readParts.rows(.text(record.id)) { row in
      StoredPart(name: row.blob(0), json: row.blob(2), checksum: UInt64(bitPattern: row.integer(1)))
    }
    if let reason = record.take(parts) { return .failure(SQLiteSessionRow.Unreadable(reason: reason)) }
    return .success(.living(record))
  }

  func put(
    _ parts: PartsChange, of session: String, in connection: StoreConnection
  ) throws(SQLiteFailure) {
    if parts.isWhole { try connection.statements.removeParts.run(.text(session)) }
    for name in parts.removed { try connection.statements.removePart.run(.text(session), .blob(name)) }
    for (name, json) in parts.put {
      let part = StoredPart(name, json, of: session)
      try connection.statements.putPart.run(
        .text(session), .blob(name), .integer(Int64(bitPattern: part.checksum)), .blob(json))
    }
  }
}
