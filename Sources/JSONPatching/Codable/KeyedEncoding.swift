// SPDX-License-Identifier: MIT

/// The members of an object that is being encoded.
struct KeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let container: EncodedContainer
  let codingPath: [any CodingKey]

  func encodeNil(forKey key: Key) { container.set(key.stringValue, .scalar(.null)) }

  func encode(_ value: some Encodable, forKey key: Key) throws {
    container.set(key.stringValue, try EncodedValue(value, at: codingPath + [key]))
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy _: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    encoder(key).container(keyedBy: Nested.self)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { encoder(key).unkeyedContainer() }

  func superEncoder() -> any Encoder { encoder(PositionKey.super) }
  func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

  private func encoder(_ key: some CodingKey) -> JSONEncoding {
    let encoder = JSONEncoding(at: codingPath + [key])
    container.set(key.stringValue, .encoder(encoder))
    return encoder
  }
}
