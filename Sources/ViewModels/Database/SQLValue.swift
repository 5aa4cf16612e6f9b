// SPDX-License-Identifier: MIT
import ObservableCore

/// A value in a database.
public enum SQLValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

/// A type whose values a statement takes in the place of a `?`.
public protocol SQLValueConvertible {
  var sqlValue: SQLValue { get }
}

extension SQLValue: SQLValueConvertible {
  public var sqlValue: SQLValue { self }
}

extension FixedWidthInteger {
  /// The number, which has to be in the range of a database's integers, those of 64 bits with a sign.
  public var sqlValue: SQLValue {
    guard let number = Int64(exactly: self) else {
      stopProgram(
        "\(self) was handed to a database", expected: "a number from \(Int64.min) to \(Int64.max)",
        remedy: "store it as a text")
    }
    return .integer(number)
  }
}

extension Int: SQLValueConvertible {}
extension Int32: SQLValueConvertible {}
extension Int64: SQLValueConvertible {}
extension UInt32: SQLValueConvertible {}

extension Bool: SQLValueConvertible {
  /// 1 or 0: SQLite has no other truth values.
  public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLValueConvertible {
  public var sqlValue: SQLValue { .real(self) }
}

extension String: SQLValueConvertible {
  public var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLValueConvertible {
  public var sqlValue: SQLValue { .blob(self) }
}

extension Optional: SQLValueConvertible where Wrapped: SQLValueConvertible {
  public var sqlValue: SQLValue { map(\.sqlValue) ?? .null }
}
