// SPDX-License-Identifier: MIT

/// The JSON that a type has: a JSON Schema (draft 2020-12), as far as types need one. It is for documentation,
/// and for programs that are made from it.
///
/// ```swift
/// extension Age: JSONRepresentable {
///   static var jsonSchema: JSONSchema { .integer(in: 0...100) }
/// }
/// ```
///
/// It must allow exactly what the type's `init(json:)` takes and its `write(to:)` gives.
public struct JSONSchema: Sendable {
  /// The schema as JSON, an object.
  public let json: JSON

  /// A schema of any form, for cases that the others do not cover.
  ///
  /// - Parameter json: an object. A reference in it must lead to a place within it.
  public init(_ json: JSON) { self.json = json }

  private init(_ members: (String, JSON)...) {
    self.init(.object(members.map { JSON.Member(name: $0.0, value: $0.1) }))
  }

  /// Any value.
  public static var any: JSONSchema { JSONSchema() }

  public static var null: JSONSchema { JSONSchema(("type", "null")) }
  public static var boolean: JSONSchema { JSONSchema(("type", "boolean")) }
  public static var string: JSONSchema { JSONSchema(("type", "string")) }

  /// One of these texts.
  public static func string(oneOf values: [String]) -> JSONSchema {
    JSONSchema(("type", "string"), ("enum", .array(values.map { .string($0) })))
  }

  /// An integer, by default any that fits an `Int`.
  public static func integer(in range: ClosedRange<Int> = .min ... .max) -> JSONSchema {
    JSONSchema(
      ("type", "integer"), ("minimum", .integer(Int64(range.lowerBound))),
      ("maximum", .integer(Int64(range.upperBound))))
  }

  /// One of these integers.
  public static func integer(oneOf values: [Int]) -> JSONSchema {
    JSONSchema(("type", "integer"), ("enum", .array(values.map { .integer(Int64($0)) })))
  }

  /// A number; any that fits a `Double`.
  public static var number: JSONSchema { JSONSchema(("type", "number")) }

  /// A number from one bound to another.
  public static func number(in range: ClosedRange<Double>) -> JSONSchema {
    JSONSchema(("type", "number"), ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound)))
  }

  public static func array(of element: JSONSchema) -> JSONSchema {
    JSONSchema(("type", "array"), ("items", element.json))
  }

  /// An object with these members and no others. All are required except the optional ones.
  public static func object(
    _ members: [(name: String, schema: JSONSchema)], optional: Set<String> = []
  ) -> JSONSchema {
    let required = members.map(\.name).filter { !optional.contains($0) }
    return JSONSchema(
      ("type", "object"),
      ("properties", .object(members.map { JSON.Member(name: $0.name, value: $0.schema.json) })),
      ("required", .array(required.map { .string($0) })), ("additionalProperties", false))
  }

  /// An object with members of any names, whose values all have one schema.
  public static func dictionary(of value: JSONSchema) -> JSONSchema {
    JSONSchema(("type", "object"), ("additionalProperties", value.json))
  }

  /// Exactly this value.
  public static func constant(_ value: JSON) -> JSONSchema { JSONSchema(("const", value)) }

  /// A value of any of these schemas.
  public static func any(of schemas: [JSONSchema]) -> JSONSchema {
    JSONSchema(("anyOf", .array(schemas.map(\.json))))
  }

  /// The schema of this value or `null`.
  public var orNull: JSONSchema {
    if isOpen { return self }
    guard case .object(let members) = json, case .string(let type)? = json["type"], type != "object",
      json["enum"] == nil, json["const"] == nil
    else { return .any(of: [self, .null]) }
    if type == "null" { return self }
    return JSONSchema(
      .object(
        members.map { member in
          member.name == "type" ? JSON.Member(name: "type", value: .array([member.value, "null"])) : member
        }))
  }

  /// The same schema with a name. For an object or an enumeration, it is the name of the class that programs
  /// make from it.
  public func titled(_ title: String) -> JSONSchema {
    guard case .object(let members) = json else { return self }
    return JSONSchema(
      .object([JSON.Member(name: "title", value: .string(title))] + members.filter { $0.name != "title" }))
  }

  /// The same schema with a sentence for people.
  public func described(_ text: String) -> JSONSchema {
    guard case .object(let members) = json else { return self }
    let others = members.filter { $0.name != "description" }
    return JSONSchema(.object(others + [JSON.Member(name: "description", value: .string(text))]))
  }
}
