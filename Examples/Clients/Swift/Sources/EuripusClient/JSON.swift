// SPDX-License-Identifier: MIT

/// A JSON value.
public enum JSON: Codable, Equatable, Sendable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  public init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if value.decodeNil() {
      self = .null
    } else if let bool = try? value.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? value.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? value.decode(Double.self) {
      self = .number(number)
    } else if let string = try? value.decode(String.self) {
      self = .string(string)
    } else if let array = try? value.decode([JSON].self) {
      self = .array(array)
    } else {
      self = .object(try value.decode([String: JSON].self))
    }
  }

  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .null: try Optional<Bool>.none.encode(to: encoder)
    case .bool(let bool): try bool.encode(to: encoder)
    case .integer(let integer): try integer.encode(to: encoder)
    case .number(let number): try number.encode(to: encoder)
    case .string(let string): try string.encode(to: encoder)
    case .array(let array): try array.encode(to: encoder)
    case .object(let object): try object.encode(to: encoder)
    }
  }

  /// A member of an object, or an element of an array by its index.
  public subscript(name: String) -> JSON? {
    switch self {
    case .object(let members): members[name]
    case .array(let elements): Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
    default: nil
    }
  }

  /// The text of a string; `nil` for another value.
  public var text: String? { if case .string(let text) = self { text } else { nil } }
  /// The integer; `nil` for another value.
  public var integer: Int? { if case .integer(let integer) = self { integer } else { nil } }
}
