// SPDX-License-Identifier: MIT

/// The elements of an array that is being decoded.
struct UnkeyedDecoding: UnkeyedDecodingContainer {
  let elements: [JSON]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(elements: [JSON], codingPath: [any CodingKey]) {
    (self.elements, self.codingPath) = (elements, codingPath)
  }

  var count: Int? { elements.count }
  var isAtEnd: Bool { currentIndex == elements.count }

  mutating func decodeNil() throws -> Bool {
    guard try present() == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
    let value = try JSONDecoding.value(type, from: try present(), at: path)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer { try decoder().unkeyedContainer() }
  mutating func superDecoder() throws -> any Decoder { try decoder() }

  private mutating func decoder() throws -> JSONDecoding {
    let decoder = JSONDecoding(json: try present(), codingPath: path)
    currentIndex += 1
    return decoder
  }

  private var path: [any CodingKey] { codingPath + [PositionKey(intValue: currentIndex)] }

  private func present() throws -> JSON {
    guard isAtEnd else { return elements[currentIndex] }
    let mismatch = JSONMismatch(expected: "an array of more than \(elements.count)", found: "one of \(elements.count)")
    throw DecodingError(mismatch.nested(under: codingPath), at: codingPath)
  }
}
