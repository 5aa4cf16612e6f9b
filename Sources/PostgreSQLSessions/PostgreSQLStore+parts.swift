// SPDX-License-Identifier: MIT
import Sessions
import ViewModels

/// The parts of sessions' states, each a row of its own.
extension PostgreSQLStore {
  /// The steps that follow the one which writes a session, by the same claim and number.
  static func steps(of parts: PartsChange, _ change: StoreChange) -> [Step] {
    let owner = owner(change)
    var steps: [Step] = []
    if !parts.removed.isEmpty { steps.append((Statements.removeParts, owner + [.blobs(parts.removed)])) }
    if !parts.put.isEmpty {
      let checksums = parts.put.map { SessionRecord.checksum(ofPart: $0.key, $0.value, in: change.id) }
      steps.append(
        (
          Statements.putParts,
          owner + [
            .blobs(parts.put.keys),
            .text("{\(checksums.map { "\(Int64(bitPattern: $0))" }.joined(separator: ","))}"),
            .blobs(parts.put.values),
          ]
        ))
    }
    return steps
  }

  /// A session with its parts, which `readParts` has given.
  static func withParts(
    _ session: Result<StoredSession, PostgreSQLSessionRow.Unreadable>, _ parts: Answer
  ) -> Result<StoredSession, PostgreSQLSessionRow.Unreadable> {
    guard case .success(.living(var record)) = session else { return session }
    for row in parts.rows {
      let (name, json) = (row.blob(0), row.blob(2))
      guard SessionRecord.checksum(ofPart: name, json, in: record.id) == UInt64(bitPattern: row.integer(1)) else {
        return .failure(
          PostgreSQLSessionRow.Unreadable(
            reason: "its part '\(String(decoding: name, as: UTF8.self))' has the checksum of something else"))
      }
      record.parts.put[name] = json
    }
    guard record.parts.put.count == record.partCount else {
      return .failure(
        PostgreSQLSessionRow.Unreadable(
          reason: "it has \(record.parts.put.count) parts; expected \(record.partCount)"))
    }
    return .success(.living(record))
  }

  /// Sessions with their parts.
  func withParts(
    _ rows: [PostgreSQLSessionRow]
  ) throws(PostgreSQLFailure) -> [Result<StoredSession, PostgreSQLSessionRow.Unreadable>] {
    let parts = try run(rows.map { (Statements.readParts, [.text($0.id)]) })
    return zip(rows, parts).map { Self.withParts($0.session, $1) }
  }
}

extension PostgreSQLConnection.Value {
  /// An array of bytes as text, which a statement takes as `$1::text::bytea[]`.
  fileprivate static func blobs(_ blobs: some Collection<[UInt8]>) -> Self {
    let digits = Array("0123456789abcdef".utf8)
    var text = Array("{".utf8)
    for blob in blobs {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text += #""\\x"#.utf8
      for byte in blob { text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]] }
      text.append(UInt8(ascii: "\""))
    }
    return .blob(text + "}".utf8)
  }
}
