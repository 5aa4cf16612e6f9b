// SPDX-License-Identifier: MIT

/// A decoder of nothing. It notes the members and types that it is asked for, and answers with some value of
/// each type.
struct NotingDecoder: Decoder {
  let notes: DecodingNotes
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedDecodingContainer<Key> {
    notes.noteMembers()
    return KeyedDecodingContainer(NotingMembers<Key>(notes: notes))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer {
    notes.noteElements()
    return NotingElements(notes: notes)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { NotingValue(notes: notes) }

  /// Some value of a type.
  ///
  /// - Throws: an error, if no value can be made.
  static func value<Value: Decodable>(_ type: Value.Type, _ notes: DecodingNotes) throws -> Value {
    let (schema, value) = CodableSchema.member(type)
    notes.note(schema)
    guard let value else { throw NoValue() }
    return value
  }

  private struct NoValue: Error {}
}

struct NotingValue: SingleValueDecodingContainer {
  let notes: DecodingNotes
  var codingPath: [any CodingKey] { [] }

  func decodeNil() -> Bool {
    notes.isNullable = true
    return false
  }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try NotingDecoder.value(type, notes) }
}

struct NotingMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let notes: DecodingNotes
  var codingPath: [any CodingKey] { [] }

  var allKeys: [Key] {
    notes.noteUnknown()
    return []
  }

  func contains(_ key: Key) -> Bool {
    _ = notes.member(key.stringValue, isOptional: true)
    return true
  }

  func decodeNil(forKey key: Key) -> Bool {
    notes.member(key.stringValue).isNullable = true
    return false
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try NotingDecoder.value(type, notes.member(key.stringValue))
  }

  func decodeIfPresent<Value: Decodable>(_ type: Value.Type, forKey key: Key) -> Value? {
    let member = notes.member(key.stringValue, isOptional: true)
    member.note(CodableSchema.member(type).schema)
    member.isNullable = true
    return nil
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> {
    decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { decoder(key).unkeyedContainer() }
  func superDecoder() -> any Decoder { decoder(PositionKey.super) }
  func superDecoder(forKey key: Key) -> any Decoder { decoder(key) }

  private func decoder(_ key: some CodingKey) -> NotingDecoder { NotingDecoder(notes: notes.member(key.stringValue)) }
}

/// The elements of an array. For a type that asks whether there are more, there is one.
struct NotingElements: UnkeyedDecodingContainer {
  let notes: DecodingNotes
  var codingPath: [any CodingKey] { [] }
  var count: Int? { 1 }
  var currentIndex: Int { notes.elementCount }
  /// The most elements. A type that reads until there is an error gets one after these.
  private static let most = 64

  var isAtEnd: Bool {
    notes.noteElements(isOpen: true)
    return notes.elementCount > 0
  }

  func decodeNil() -> Bool { false }

  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if notes.elementCount >= Self.most {
      throw DecodingError.valueNotFound(type, .init(codingPath: [], debugDescription: "there are no more elements"))
    }
    return try NotingDecoder.value(type, notes.element())
  }

  func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedDecodingContainer<Nested> {
    superDecoder(of: notes.element()).container(keyedBy: type)
  }

  func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { superDecoder(of: notes.element()).unkeyedContainer() }
  func superDecoder() -> any Decoder { superDecoder(of: notes.element()) }

  private func superDecoder(of notes: DecodingNotes) -> NotingDecoder { NotingDecoder(notes: notes) }
}
