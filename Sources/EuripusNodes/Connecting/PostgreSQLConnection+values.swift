// SPDX-License-Identifier: MIT
import ViewModels

/// Values and rows of an app's statements.
extension PostgreSQLConnection.Value {
  /// PostgreSQL finds the type of a value where it stands in the statement.
  init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .plain("\(number)")
    case .real(let number): self = .plain("\(number)")
    case .text(let text): self = .plain(text)
    case .blob(let bytes): self = .blob(bytes)
    }
  }
}

extension DatabaseRows {
  /// - Parameter answer: the answer to a statement, whose values came as texts.
  init(_ answer: PostgreSQLConnection.Answer) {
    self.init()
    let columns = answer.columns
    self.columns = columns.map(\.name)
    changes = answer.isOfReading ? 0 : answer.affected
    rows = answer.rows.map { row in
      columns.indices.map { index in
        row.isNull(Int32(index)) ? .null : SQLValue(row.text(Int32(index)), ofType: columns[index].type)
      }
    }
  }
}

extension SQLValue {
  /// - Parameter type: the number of the type in PostgreSQL's catalogue
  ///   (https://github.com/postgres/postgres/blob/REL_15_STABLE/src/include/catalog/pg_type.dat).
  fileprivate init(_ text: String, ofType type: UInt32) {
    switch type {
    case 16: self = .integer(text == "t" ? 1 : 0)
    case 17: self = .blob(Self.bytes(text))
    case 20, 21, 23, 26, 700, 701, 1700:
      // The sum of whole numbers is a `numeric`.
      self = Int64(text).map { .integer($0) } ?? Double(text).map { .real($0) } ?? .text(text)
    default: self = .text(text)
    }
  }

  /// The bytes of a `bytea` in its text form, `\x0aff`.
  private static func bytes(_ text: String) -> [UInt8] {
    let digits = text.utf8.dropFirst(2).map { UInt8(Character(Unicode.Scalar($0)).hexDigitValue ?? 0) }
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

extension DatabaseFailure {
  /// - Parameter statement: the statement that has failed; `nil` where it is none of the app's.
  init(_ failure: PostgreSQLFailure, _ statement: String? = nil) {
    let said = "PostgreSQL says '\(failure.message)'" + (failure.state.isEmpty ? "" : " (\(failure.state))")
    self.init(failure.databaseKind, said + (statement.map { " of: \($0)" } ?? ""))
  }
}

extension PostgreSQLFailure {
  /// The kind of failure that it is to an action.
  var databaseKind: DatabaseFailure.Kind {
    switch state {
    case Self.serialization, Self.deadlock: .conflict
    // Another server has migrated a table. On a new connection the statement is compiled anew.
    case "0A000" where message.contains("cached plan"): .conflict
    // A limit on a statement, on a wait for another's lock, and on the time between two statements.
    case "57014", "55P03", Self.idleInTransaction: .tooSlow
    case Self.diskFull: .full
    // A standby has the same state, and other words.
    case Self.standby where message.hasPrefix("cannot execute"): .statement
    case _ where state.hasPrefix("23"): .constraint
    case _ where endsConnection || isPassing: .unavailable
    default: .statement
    }
  }

  private static let serialization = "40001"
  private static let deadlock = "40P01"
}
