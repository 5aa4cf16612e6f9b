// SPDX-License-Identifier: MIT

/// A value that a view model may show or take. Its type defines its JSON, for reading and writing, and has a
/// name.
public protocol JSONRepresentable: SendableMetatype {
  /// Reads a value. Throws ``JSONMismatch`` if `json` is of another type.
  init(json: JSON) throws(JSONMismatch)

  /// Writes exactly one value.
  func write(to writer: inout JSONWriter)

  /// The name of the type for error texts and documentation: "string", "boolean", "integer", "number", "array
  /// of …", "… or null".
  static var jsonTypeName: String { get }

  /// The schema of the type's JSON, for the OpenAPI description. By default it allows any value, and has the
  /// type's name as its description.
  static var jsonSchema: JSONSchema { get }
}

extension JSONRepresentable {
  public static var jsonSchema: JSONSchema { .any.described(jsonTypeName) }
}

extension String: JSONRepresentable {
  public static var jsonTypeName: String { "string" }
  public static var jsonSchema: JSONSchema { .string }

  public init(json: JSON) throws(JSONMismatch) {
    guard case .string(let value) = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    self = value
  }

  public func write(to writer: inout JSONWriter) { writer.string(self) }
}

extension Bool: JSONRepresentable {
  public static var jsonTypeName: String { "boolean" }
  public static var jsonSchema: JSONSchema { .boolean }

  public init(json: JSON) throws(JSONMismatch) {
    guard case .bool(let value) = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    self = value
  }

  public func write(to writer: inout JSONWriter) { writer.bool(self) }
}

extension Int: JSONRepresentable {
  public static var jsonTypeName: String { "integer" }
  public static var jsonSchema: JSONSchema { .integer() }

  /// Takes `1.0` and `1e2` too. A JSON number is an integer by its value, not by its spelling (JSON Schema
  /// §6.1.1).
  public init(json: JSON) throws(JSONMismatch) {
    switch json {
    case .integer(let value): self = Int(value)
    case .number(let value):
      guard let integer = value.integer else { fallthrough }
      self = Int(integer)
    default: throw JSONMismatch(expected: Self.jsonTypeName, found: json)
    }
  }

  public func write(to writer: inout JSONWriter) { writer.integer(self) }
}

extension Double: JSONRepresentable {
  public static var jsonTypeName: String { "number" }
  public static var jsonSchema: JSONSchema { .number }

  /// Rounds an integer beyond 2⁵³ to the nearest Double.
  public init(json: JSON) throws(JSONMismatch) {
    switch json {
    case .integer(let value): self = Double(value)
    case .number(let value): self = value
    default: throw JSONMismatch(expected: Self.jsonTypeName, found: json)
    }
  }

  public func write(to writer: inout JSONWriter) { writer.number(self) }
}
