// SPDX-License-Identifier: MIT

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

extension Int: SQLValueConvertible {
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int32: SQLValueConvertible {
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Int64: SQLValueConvertible {
  public var sqlValue: SQLValue { .integer(self) }
}

extension UInt32: SQLValueConvertible {
  public var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension Bool: SQLValueConvertible {
  /// 1 or 0: SQLite has no other truth values.
  public var sqlValue: SQLValue { .integer(self ? 1 : 0) }
}

extension Double: SQLValueConvertible {
  /// The number; SQLite stores one that is none (NaN) as NULL.
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
