// SPDX-License-Identifier: MIT
import JSONPatching

/// The schemas of a description's components, each once, under a name that a person can read and that is its title.
///
/// Programs that make clients name a class after each object, and number those that have no name. So every object,
/// enumeration and union stands here, and there is a reference to it wherever it is used.
struct SchemaShelf {
  /// The schemas by name, in the order in which they came.
  private(set) var all: [JSON.Member] = []
  private var indices: [String: Int] = [:]

  static func reference(_ name: String) -> JSONSchema { JSONSchema(["$ref": .string("#/components/schemas/\(name)")]) }

  /// Puts each object, enumeration and union of a schema here, the whole included.
  ///
  /// - Parameter name: the name of the whole, where it has no title and no other schema has this name.
  /// - Returns: the schema with references in their places.
  mutating func place(_ schema: JSONSchema, named name: String) -> JSONSchema { JSONSchema(place(schema.json, name)) }

  /// Takes a name, or one like it that is free, for a schema that comes later and may contain a reference to itself.
  mutating func reserve(_ name: String) -> String { put(.null, [name]) }

  mutating func fill(_ name: String, _ schema: JSONSchema) {
    guard let index = indices[name], let members = inside(schema.json, name) else { return }
    all[index].value = Self.titled(members, name)
  }

  // MARK: Within a schema

  private mutating func place(_ schema: JSON, _ context: String) -> JSON {
    let title = Self.title(schema)
    guard let members = inside(schema, title ?? context) else { return schema }
    if !Self.hasName(schema) { return .object(members) }
    let name = put(.object(members), [title, context].compactMap(\.self))
    return Self.reference(name).json
  }

  /// The members of a schema, with references to those within it; `nil` if it is a reference, or no object.
  private mutating func inside(_ schema: JSON, _ name: String) -> [JSON.Member]? {
    guard case .object(let members) = schema, schema["$ref"] == nil else { return nil }
    // References within it are counted from its own beginning.
    if schema["$id"] != nil { return members }
    var new = members
    for index in new.indices {
      switch (new[index].name, new[index].value) {
      case ("properties", .object(let properties)):
        new[index].value = .object(
          properties.map { JSON.Member(name: $0.name, value: place($0.value, name + SchemaName.of($0.name))) })
      case ("additionalProperties", let value): new[index].value = place(value, name + "Value")
      case ("items", let value): new[index].value = place(value, name + "Item")
      case ("oneOf", .array(let variants)), ("anyOf", .array(let variants)):
        new[index].value = .array(place(variants, name))
      default: break
      }
    }
    return new
  }

  private mutating func place(_ variants: [JSON], _ name: String) -> [JSON] {
    if variants.filter({ !Self.isNull($0) }).count == 1 { return variants.map { place($0, name) } }
    return variants.map { variant in
      let own = name + SchemaName.ofType(variant)
      let placed = place(variant, own)
      guard case .object(let members) = placed, !Self.isNull(placed), placed["$ref"] == nil, Self.title(placed) == nil
      else { return placed }
      return Self.titled(members, own)
    }
  }

  private static func isNull(_ schema: JSON) -> Bool { schema["type"] == "null" }

  private static func title(_ schema: JSON) -> String? {
    guard case .string(let title)? = schema["title"] else { return nil }
    let name = SchemaName.of(title)
    return name.isEmpty ? nil : name
  }

  /// Whether programs make a type of it.
  private static func hasName(_ schema: JSON) -> Bool {
    if schema["type"] == "object" || schema["properties"] != nil || schema["enum"] != nil { return true }
    guard case .array(let variants)? = schema["oneOf"] ?? schema["anyOf"] else { return false }
    return variants.filter { !isNull($0) }.count > 1
  }

  // MARK: Names

  /// - Parameter names: the names to try, the best first.
  /// - Returns: the first of them that is free, or has this very schema; else the last with a number.
  private mutating func put(_ schema: JSON, _ names: [String]) -> String {
    var number = 0
    while true {
      let name = number < names.count ? names[number] : "\(names[names.count - 1])\(number - names.count + 2)"
      let titled: JSON = if case .object(let members) = schema { Self.titled(members, name) } else { schema }
      guard let index = indices[name] else {
        indices[name] = all.count
        all.append(JSON.Member(name: name, value: titled))
        return name
      }
      if schema != .null, all[index].value == titled { return name }
      number += 1
    }
  }

  private static func titled(_ members: [JSON.Member], _ title: String) -> JSON {
    .object([JSON.Member(name: "title", value: .string(title))] + members.filter { $0.name != "title" })
  }
}
