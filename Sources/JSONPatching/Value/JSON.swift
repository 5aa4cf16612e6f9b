// SPDX-License-Identifier: MIT

/// One JSON value (RFC 8259).
///
/// An object keeps the order of its members, so a text that was read is written in the same order. The names in one
/// object are unique: ``JSONReader`` refuses a text with a name twice, and code that builds a value by hand must not
/// repeat a name either.
///
/// Values are equal as RFC 6902 §4.6 has it: `1` equals `1.0`, and the order of an object's members does not matter.
/// Strings are compared by their code points, so `é` as one code point differs from `é` as two.
public enum JSON: Sendable {
  case null
  case bool(Bool)
  /// A number that was written without fraction and exponent, and that fits.
  case integer(Int64)
  /// Any other number, with `-0` among them. It is finite.
  case number(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// One name and its value.
  public struct Member: Sendable {
    public var name: String
    public var value: JSON

    public init(name: String, value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// The value of the member called `name`; nil if this is not an object or has no such member. O(members).
  ///
  /// Setting a value replaces the member, or adds it at the end. Setting nil removes it. If this is not an
  /// object, setting does nothing.
  public subscript(name: String) -> JSON? {
    get {
      guard case .object(let members) = self else { return nil }
      return members.first { $0.name.hasSameBytes(as: name) }?.value
    }
    set {
      guard case .object(var members) = self else { return }
      let index = members.firstIndex { $0.name.hasSameBytes(as: name) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): return
      }
      self = .object(members)
    }
  }

  /// The element at `index`; nil if this is not an array or has no such element.
  public subscript(index: Int) -> JSON? {
    guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
    return elements[index]
  }

  /// The kind of the value, in the words of ``JSONRepresentable/jsonTypeName``.
  var typeName: String {
    switch self {
    case .null: "null"
    case .bool: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

/// JSON text for people, for example in a failed test.
extension JSON: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String {
    var writer = JSONWriter()
    writer.json(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  public var debugDescription: String { description }
}

extension JSON.Member: CustomStringConvertible, CustomDebugStringConvertible {
  public var description: String { "\(JSON.string(name)):\(value)" }
  public var debugDescription: String { description }
}

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self = .string(value) }
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  public init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(members.map { Member(name: $0, value: $1) })
  }
}
