// SPDX-License-Identifier: MIT
import Sessions
import ViewModels

/// The parts of sessions' states, each a row of its own.
extension SQLiteStore {
  /// A session with its parts.
  func withParts(
    _ session: Result<StoredSession, SQLiteSessionRow.Unreadable>, in connection: StoreConnection
  ) throws(SQLiteFailure) -> Result<StoredSession, SQLiteSessionRow.Unreadable> {
    guard case .success(.living(var record)) = session else { return session }
    let parts = try connection.statements.readParts.rows(.text(record.id)) { row in
      (name: row.blob(0), checksum: UInt64(bitPattern: row.integer(1)), json: row.blob(2))
    }
    for part in parts {
      guard SessionRecord.checksum(ofPart: part.name, part.json, in: record.id) == part.checksum else {
        return .failure(
          SQLiteSessionRow.Unreadable(
            reason: "its part '\(String(decoding: part.name, as: UTF8.self))' has the checksum of something else"))
      }
      record.parts.put[part.name] = part.json
    }
    guard parts.count == record.partCount else {
      return .failure(
        SQLiteSessionRow.Unreadable(reason: "it has \(parts.count) parts; expected \(record.partCount)"))
    }
    return .success(.living(record))
  }

  func put(
    _ parts: PartsChange, of session: String, in connection: StoreConnection
  ) throws(SQLiteFailure) {
    for name in parts.removed { try connection.statements.removePart.run(.text(session), .blob(name)) }
    for (name, json) in parts.put {
      let checksum = SessionRecord.checksum(ofPart: name, json, in: session)
      try connection.statements.putPart.run(
        .text(session), .blob(name), .integer(Int64(bitPattern: checksum)), .blob(json))
    }
  }
}
