// SPDX-License-Identifier: MIT

/// The encoder of a `Codable` value. It keeps the value until all of it has come, and is then written.
final class JSONEncoding: Encoder {
  let codingPath: [any CodingKey]
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private var encoded: EncodedValue?

  init(at path: [any CodingKey]) { codingPath = path }

  /// The value; an empty object if nothing was encoded.
  var value: EncodedValue { encoded ?? .container(EncodedContainer(isObject: true)) }

  func set(_ value: EncodedValue) { encoded = value }

  func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(KeyedEncoding<Key>(container: container(isObject: true), codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    UnkeyedEncoding(container: container(isObject: false), codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { SingleEncoding(encoder: self) }

  /// The present container, which a class and its superclass share, or a new one.
  private func container(isObject: Bool) -> EncodedContainer {
    if case .container(let container)? = encoded, container.isObject == isObject { return container }
    let container = EncodedContainer(isObject: isObject)
    encoded = .container(container)
    return container
  }
}

/// A value that is not a container.
struct SingleEncoding: SingleValueEncodingContainer {
  let encoder: JSONEncoding
  var codingPath: [any CodingKey] { encoder.codingPath }

  func encodeNil() { encoder.set(.scalar(.null)) }
  func encode(_ value: some Encodable) throws { encoder.set(try EncodedValue(value, at: codingPath)) }
}
