// SPDX-License-Identifier: MIT
import JSONPatching

/// The decoder of a row: its columns are the members of an object, and its first column is a single value.
///
/// A value of a column is decoded as its JSON would be, and a blob as an array of bytes. A number is taken for a truth
/// value too, as SQLite has no other.
struct RowDecoding: Decoder {
  let columns: [String]
  let values: [SQLValue]
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  static func row<Row: Decodable>(
    _: Row.Type, columns: [String], _ values: [SQLValue]
  ) throws(DatabaseFailure) -> Row {
    do { return try Row(from: RowDecoding(columns: columns, values: values)) } catch {
      let names = columns.joined(separator: ", ")
      throw DatabaseFailure(.statement, "a row with the columns \(names) is no \(Row.self): \(reason(error))")
    }
  }

  /// The reason, without the values.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, _): "it has no column '\(key.stringValue)'"
    case DecodingError.valueNotFound(let type, let context):
      "'\(context.codingPath.last?.stringValue ?? "the first column")' is NULL, expected \(type)"
    case DecodingError.typeMismatch(let type, let context):
      "'\(context.codingPath.last?.stringValue ?? "the first column")' is none of \(type)"
    default: "\(type(of: error))"
    }
  }

  func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Columns<Key>(row: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw DecodingError.typeMismatch(
      [Any].self, .init(codingPath: [], debugDescription: "a row is no array"))
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { FirstColumn(row: self) }

  fileprivate func value<Value: Decodable>(_ type: Value.Type, _ value: SQLValue, at path: [any CodingKey]) throws
    -> Value
  {
    if case .integer(let number) = value, let truth = (number != 0) as? Value { return truth }
    do { return try JSON(value).decoded(as: type) } catch {
      if value == .null {
        throw DecodingError.valueNotFound(type, .init(codingPath: path, debugDescription: "NULL"))
      }
      throw DecodingError.typeMismatch(type, .init(codingPath: path, debugDescription: "\(error)"))
    }
  }
}

private struct Columns<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: RowDecoding
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.columns.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { row.columns.contains(key.stringValue) }

  func decodeNil(forKey key: Key) throws -> Bool { try present(key) == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try row.value(type, try present(key), at: [key])
  }

  func nestedContainer<Nested: CodingKey>(keyedBy _: Nested.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<Nested>
  { throw single(key) }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { throw single(key) }
  func superDecoder() throws -> any Decoder { row }
  func superDecoder(forKey key: Key) throws -> any Decoder { throw single(key) }

  private func single(_ key: Key) -> DecodingError {
    .typeMismatch([String: Any].self, .init(codingPath: [key], debugDescription: "a column is a single value"))
  }

  private func present(_ key: Key) throws -> SQLValue {
    guard let index = row.columns.firstIndex(of: key.stringValue) else {
      throw DecodingError.keyNotFound(key, .init(codingPath: [], debugDescription: "no such column"))
    }
    return row.values[index]
  }
}

private struct FirstColumn: SingleValueDecodingContainer {
  let row: RowDecoding
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool { row.values.first == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try row.value(type, row.values.first ?? .null, at: [])
  }
}

extension JSON {
  fileprivate init(_ value: SQLValue) {
    switch value {
    case .null: self = .null
    case .integer(let number): self = .integer(number)
    case .real(let number): self = .number(number)
    case .text(let text): self = .string(text)
    case .blob(let bytes): self = .array(bytes.map { .integer(Int64($0)) })
    }
  }
}
