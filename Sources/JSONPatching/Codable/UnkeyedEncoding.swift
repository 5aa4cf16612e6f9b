// SPDX-License-Identifier: MIT

/// The elements of an array that is being encoded.
struct UnkeyedEncoding: UnkeyedEncodingContainer {
  let container: EncodedContainer
  let codingPath: [any CodingKey]

  var count: Int { container.count }

  func encodeNil() { container.append(.scalar(.null)) }
  func encode(_ value: some Encodable) throws { container.append(try EncodedValue(value, at: nextPath)) }

  func nestedContainer<Nested: CodingKey>(keyedBy _: Nested.Type) -> KeyedEncodingContainer<Nested> {
    encoder().container(keyedBy: Nested.self)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder().unkeyedContainer() }
  func superEncoder() -> any Encoder { encoder() }

  private var nextPath: [any CodingKey] { codingPath + [PositionKey(intValue: count)] }

  private func encoder() -> JSONEncoding {
    let encoder = JSONEncoding(at: nextPath)
    container.append(.encoder(encoder))
    return encoder
  }
}
