// SPDX-License-Identifier: MIT

/// The members of an object that is being decoded.
struct KeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let members: [JSON.Member]
  /// The values by name; empty if there are only a few members.
  private let values: [ExactText: JSON]
  let codingPath: [any CodingKey]

  init(members: [JSON.Member], codingPath: [any CodingKey]) {
    self.members = members
    self.codingPath = codingPath
    let isMany = members.count > NameIndex.worthwhileCount
    values = isMany ? Dictionary(members.map { (ExactText($0.name), $0.value) }) { first, _ in first } : [:]
  }

  var allKeys: [Key] { members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { value(key) != nil }
  func decodeNil(forKey key: Key) throws -> Bool { try present(key) == .null }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try JSONDecoding.value(type, from: try present(key), at: codingPath + [key])
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder { try decoder(PositionKey.super) }
  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }

  private func decoder(_ key: some CodingKey) throws -> JSONDecoding {
    JSONDecoding(json: try present(key), codingPath: codingPath + [key])
  }

  private func present(_ key: some CodingKey) throws -> JSON {
    if let value = value(key) { return value }
    let mismatch = JSONMismatch(expected: "an object with '\(key.stringValue)'", found: "one without")
    throw DecodingError(mismatch.nested(under: codingPath), at: codingPath)
  }

  private func value(_ key: some CodingKey) -> JSON? {
    if !values.isEmpty { return values[ExactText(key.stringValue)] }
    return members.first { $0.name.hasSameBytes(as: key.stringValue) }?.value
  }
}
