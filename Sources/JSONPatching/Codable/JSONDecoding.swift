// SPDX-License-Identifier: MIT
import ObservableCore

/// The decoder of a `Codable` value from JSON.
struct JSONDecoding: Decoder {
  let json: JSON
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let members) = json else { throw mismatch("object") }
    return KeyedDecodingContainer(KeyedDecoding<Key>(members: members, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let elements) = json else { throw mismatch("array") }
    return UnkeyedDecoding(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { SingleDecoding(decoder: self) }

  private func mismatch(_ expected: String) -> DecodingError {
    DecodingError(JSONMismatch(expected: expected, found: json).nested(under: codingPath), at: codingPath)
  }
}

extension JSONDecoding {
  /// A value by its `init(from:)`.
  ///
  /// - Throws: a mismatch whose pointer begins where the path begins.
  static func plain<Value: Decodable>(
    _: Value.Type, from json: JSON, at path: [any CodingKey]
  ) throws(JSONMismatch) -> Value {
    do { return try Value(from: JSONDecoding(json: json, codingPath: path)) } catch {
      if let mismatch = error as? JSONMismatch { throw mismatch.nested(under: path) }
      if let mismatch = (error as? DecodingError)?.mismatch { throw mismatch }
      // The error's own words may contain the value, which may be a secret.
      let found = "another \(json.typeName)"
      throw JSONMismatch(expected: CodableCases.words(for: Value.self), found: found).nested(under: path)
    }
  }

  /// A value within another. A type that has its own JSON is read from that.
  static func value<Value: Decodable>(
    _: Value.Type, from json: JSON, at path: @autoclosure () -> [any CodingKey]
  ) throws -> Value {
    do throws(JSONMismatch) {
      guard let type = Value.self as? any JSONRepresentable.Type else {
        return try plain(Value.self, from: json, at: path())
      }
      let value: any JSONRepresentable
      do throws(JSONMismatch) { value = try type.init(json: json) } catch { throw error.nested(under: path()) }
      guard let value = value as? Value else { stopProgram(bug: "\(type) made a value of another type") }
      return value
    } catch {
      throw DecodingError(error, at: path())
    }
  }
}

extension JSON {
  /// The value of a type, which has its own JSON or that of its `init(from:)`.
  package func decoded<Value: Decodable>(as type: Value.Type) throws -> Value {
    try JSONDecoding.value(type, from: self, at: [])
  }
}

/// A value that is not a container.
struct SingleDecoding: SingleValueDecodingContainer {
  let decoder: JSONDecoding
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { decoder.json == .null }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    try JSONDecoding.value(type, from: decoder.json, at: codingPath)
  }
}
