// SPDX-License-Identifier: MIT
import JSONPatching

/// The type of a JSON value, as programming languages have types.
indirect enum TypeShape: Equatable {
  struct Member: Equatable {
    let name: String
    let shape: TypeShape
    /// Whether it may be absent.
    let isOptional: Bool
    let about: String?
  }

  case any, null, boolean, integer, number
  /// - Parameter format: the schema's format, such as `date-time`.
  case text(format: String?)
  case constant(JSON)
  case oneOf([JSON])
  case optional(TypeShape)
  case list(TypeShape)
  case dictionary(TypeShape)
  case object([Member])
  /// - Parameter kinds: the member `kind` of each, which tells them apart; empty if they have no such member.
  case union([TypeShape], kinds: [String])
  /// A type that has a definition of its own.
  case named(String)
  /// The rows of a keyed list (PROTOCOL §6).
  case rows(TypeShape, hasWindow: Bool)
  /// A command, by the type of its result (PROTOCOL §6).
  case command(TypeShape)

  /// The same without the `null` that it may be.
  var present: TypeShape { if case .optional(let shape) = self { shape } else { self } }

  /// The types directly within it.
  var parts: [TypeShape] {
    switch self {
    case .any, .null, .boolean, .integer, .number, .text, .constant, .oneOf, .named: []
    case .optional(let shape), .list(let shape), .dictionary(let shape), .rows(let shape, _), .command(let shape):
      [shape]
    case .object(let members): members.map(\.shape)
    case .union(let shapes, _): shapes
    }
  }

  /// The names of the types that it mentions, at any depth short of their definitions.
  var names: [String] { if case .named(let name) = self { [name] } else { parts.flatMap(\.names) } }
}

/// Reads shapes from schemas that refer to each other by names.
struct TypeShapeReader {
  private let schemas: [String: JSON]

  /// - Parameter shelf: all schemas that the others may refer to.
  init(_ shelf: SchemaShelf) {
    schemas = Dictionary(uniqueKeysWithValues: shelf.all.map { (TypeName.of($0.name), $0.value) })
  }

  func shape(of schema: JSONSchema) -> TypeShape { shape(of: schema.json) }

  /// The definition of a name.
  func definition(of name: String) -> (shape: TypeShape, about: String?) {
    let schema = schemas[name] ?? [:]
    return (shape(of: schema), Self.text(schema["description"]))
  }

  private func shape(of schema: JSON) -> TypeShape {
    if let reference = Self.text(schema["$ref"]) {
      let name = TypeName.of(String(reference.split(separator: "/").last ?? ""))
      let target = schemas[name] ?? [:]
      return hasDefinition(target) ? .named(name) : shape(of: target)
    }
    if let value = schema["const"] { return .constant(value) }
    if case .array(let values)? = schema["enum"] { return .oneOf(values) }
    if case .array(let variants)? = schema["oneOf"] ?? schema["anyOf"] { return shape(of: variants, schema) }
    if case .array(let types)? = schema["type"] {
      guard types.count == 2, let type = types.first(where: { $0 != "null" }) else { return .any }
      var single = schema
      single["type"] = type
      return .optional(shape(of: single))
    }
    switch schema["type"] {
    case "null": return .null
    case "boolean": return .boolean
    case "integer": return .integer
    case "number": return .number
    case "string": return .text(format: Self.text(schema["format"]))
    case "array": return .list(shape(of: schema["items"] ?? [:]))
    case "object": return object(schema)
    default: return .any
    }
  }

  private func shape(of variants: [JSON], _ schema: JSON) -> TypeShape {
    let present = variants.filter { $0["type"] != "null" }
    var kinds: [String] = []
    if case .object(let mapping)? = schema["discriminator"]?["mapping"] { kinds = mapping.map(\.name) }
    let all = present.map { self.shape(of: $0) }
    // A value with bounds and its draft have the same type.
    let different = all.map(\.present).reduce(into: [TypeShape]()) { if !$0.contains($1) { $0.append($1) } }
    let shape = different.count == 1 ? different[0] : .union(different, kinds: kinds)
    return present.count < variants.count || all != all.map(\.present) ? .optional(shape) : shape
  }

  private func object(_ schema: JSON) -> TypeShape {
    guard case .object(let properties)? = schema["properties"] else {
      return .dictionary(shape(of: schema["additionalProperties"] ?? [:]))
    }
    if let items = schema["properties"]?["items"], isList(schema), case .dictionary(let row) = shape(of: items) {
      return .rows(row, hasWindow: properties.count == 4)
    }
    if isCommand(schema) { return .command(shape(of: schema["properties"]?["result"] ?? [:]).present) }
    var required: [JSON] = []
    if case .array(let names)? = schema["required"] { required = names }
    return .object(
      properties.map { member in
        TypeShape.Member(
          name: member.name, shape: shape(of: member.value), isOptional: !required.contains(.string(member.name)),
          about: Self.text(member.value["description"]))
      })
  }

  /// Whether a type is made of a schema that has a name: of an object with members of its own, an enumeration, a union.
  private func hasDefinition(_ schema: JSON) -> Bool {
    if schema["properties"] != nil { return !isList(schema) && !isCommand(schema) }
    if schema["enum"] != nil { return true }
    guard schema["oneOf"] != nil || schema["anyOf"] != nil else { return false }
    return if case .union = shape(of: schema).present { true } else { false }
  }

  private func isList(_ schema: JSON) -> Bool {
    [["order", "items"], ["count", "window", "order", "items"]].contains(Self.names(schema))
  }

  private func isCommand(_ schema: JSON) -> Bool {
    Self.names(schema) == ["enabled", "executing", "progress", "result", "error"]
  }

  private static func names(_ schema: JSON) -> [String] {
    if case .object(let properties)? = schema["properties"] { properties.map(\.name) } else { [] }
  }

  private static func text(_ json: JSON?) -> String? { if case .string(let text)? = json { text } else { nil } }
}
