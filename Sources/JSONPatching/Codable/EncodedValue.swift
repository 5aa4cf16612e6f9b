// SPDX-License-Identifier: MIT
import ObservableCore

/// An encoded value: JSON, or a container that may still be filled, since containers are filled in any order.
enum EncodedValue {
  case scalar(JSON)
  /// A value that wrote itself.
  case text([UInt8])
  case container(EncodedContainer)
  /// The value of an encoder that was handed out.
  case encoder(JSONEncoding)

  /// A value by its `encode(to:)`. If that throws, the program ends, since code that shows or stores a value
  /// cannot do without its JSON.
  init(plain value: some Encodable) {
    let encoder = JSONEncoding(at: [])
    do {
      try value.encode(to: encoder)
      self = .encoder(encoder)
    } catch {
      stopProgram(
        "a value of \(type(of: value)) has no JSON: its 'encode(to:)' threw '\(error)'",
        expected: "each value of a type that is shown, stored or answered to have some",
        remedy: "encode 'null' or another case for it, or keep such a value out of where it is made")
    }
  }

  /// A value within another. A type that has its own JSON is written with that.
  init(_ value: some Encodable, at path: @autoclosure () -> [any CodingKey]) throws {
    switch value {
    case let value as String: self = .scalar(.string(value))
    case let value as Int: self = .scalar(.integer(Int64(value)))
    case let value as Bool: self = .scalar(.bool(value))
    case let value as any JSONRepresentable:
      var writer = JSONWriter(capacity: 32)
      value.write(to: &writer)
      self = .text(writer.bytes)
    case let value as any EncodableObject: self = .container(try value.encoded(at: path()))
    default:
      let encoder = JSONEncoding(at: path())
      try value.encode(to: encoder)
      self = .encoder(encoder)
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .scalar(let json): writer.json(json)
    case .text(let bytes): writer.raw(bytes)
    case .container(let container): container.write(to: &writer)
    case .encoder(let encoder): encoder.value.write(to: &writer)
    }
  }
}

/// A dictionary from texts. Its members are written in the order of their names, so that equal values give
/// equal texts.
private protocol EncodableObject {
  func encoded(at path: [any CodingKey]) throws -> EncodedContainer
}

extension Dictionary: EncodableObject where Key == String, Value: Encodable {
  fileprivate func encoded(at path: [any CodingKey]) throws -> EncodedContainer {
    let container = EncodedContainer(isObject: true)
    for (name, value) in sorted(by: { $0.key < $1.key }) {
      container.set(name, try EncodedValue(value, at: path + [PositionKey(stringValue: name)]))
    }
    return container
  }
}
