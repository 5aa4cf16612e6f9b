// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// The parts of sessions' states. Each part is a row of its own.
extension PostgreSQLStore {
  /// The steps that write a session's parts. They follow the step that writes the session, under its claim and
  /// number.
  static func steps(of parts: PartsChange, _ change: StoreChange) -> [Step] {
    let owner = owner(change)
    var steps: [Step] = []
    if parts.isWhole {
      steps.append((Statements.removeAllParts, owner))
    } else if !parts.removed.isEmpty {
      steps.append((Statements.removeParts, owner + [.blobs(parts.removed)]))
    }
    let put = parts.put.map { StoredPart($0.key, $0.value, of: change.id) }
    if !put.isEmpty {
      let checksums = put.map { "\(Int64(bitPattern: $0.checksum))" }.joined(separator: ",")
      let values: [PostgreSQLConnection.Value] = [
        .blobs(put.lazy.map(\.name)), .text("{\(checksums)}"), .blobs(put.lazy.map(\.json)),
      ]
      steps.append((Statements.putParts, owner + values))
    }
    return steps
  }

  /// Adds a living session's parts to it, out of the parts that were read.
  static func withParts(_ row: PostgreSQLSessionRow, _ parts: [StoredPart]) -> PostgreSQLSessionRow.Session {
    guard case .success(.living(var record)) = row.session else { return row.session }
    if let reason = record.take(parts) { return .failure(PostgreSQLSessionRow.Unreadable(reason: reason)) }
    return .success(.living(record))
  }

  /// Reads sessions with their parts, both as they were at one moment.
  ///
  /// - Parameters:
  ///   - sessions: the statement that reads the sessions.
  ///   - parts: the statement that reads the parts of the same sessions, by the same values.
  func read(
    _ sessions: PostgreSQLConnection.Statement, _ parts: PostgreSQLConnection.Statement,
    _ values: [PostgreSQLConnection.Value]
  ) throws(PostgreSQLFailure) -> [(row: PostgreSQLSessionRow, session: PostgreSQLSessionRow.Session)] {
    let answers: [Answer]
    do throws(PostgreSQLFailure) {
      answers = try run([
        (Statements.beginSnapshot, []), (sessions, values), (parts, values), (Statements.commit, []),
      ])
    } catch {
      // The transaction ends with the connection.
      connection = nil
      throw error
    }
    let found = Dictionary(grouping: answers[2].rows) { $0.text(3) }
    return answers[1].rows.map { PostgreSQLSessionRow($0) }.map { row in
      (row, Self.withParts(row, (found[row.id] ?? []).map { StoredPart($0) }))
    }
  }
}

extension StoredPart {
  init(_ row: PostgreSQLConnection.Answer.Row) {
    self.init(name: row.blob(0), json: row.blob(2), checksum: UInt64(bitPattern: row.integer(1)))
  }
}

extension PostgreSQLConnection.Value {
  /// An array of sessions' ids as text, which a statement takes as `$1::text::text[]`. The ids of this server have no
  /// character that means something there.
  static func ids(_ ids: [String]) -> Self { .text("{\(ids.joined(separator: ","))}") }

  /// An array of bytes as text, which a statement takes as `$1::text::bytea[]`.
  static func blobs(_ blobs: some Collection<[UInt8]>) -> Self {
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
