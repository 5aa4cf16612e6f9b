// SPDX-License-Identifier: MIT

extension JSONSchema {
  /// An object with these members, and with others, which are ignored.
  static func openObject(_ members: [(name: String, schema: JSONSchema)], optional: Set<String>) -> JSONSchema {
    let closed = object(members, optional: optional).json
    guard case .object(let rules) = closed else { return .any }
    return JSONSchema(.object(rules.filter { $0.name != "additionalProperties" }))
  }

  /// One of these values.
  static func one(of values: [JSON]) -> JSONSchema {
    let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    if texts.count == values.count { return .string(oneOf: texts) }
    let integers = values.compactMap { if case .integer(let integer) = $0 { Int(integer) } else { nil } }
    if integers.count == values.count { return .integer(oneOf: integers) }
    return JSONSchema(["enum": .array(values)])
  }

  /// The same schema with examples of its values, for documentation and for programs that try it out.
  public func examples(_ values: JSON...) -> JSONSchema {
    guard case .object(let members) = json else { return self }
    let others = members.filter { $0.name != "examples" }
    return JSONSchema(.object(others + [JSON.Member(name: "examples", value: .array(values))]))
  }

  /// Whether the schema allows any value.
  var isOpen: Bool {
    guard case .object(let rules) = json else { return false }
    return rules.allSatisfy { $0.name == "description" }
  }

  /// A value that the schema most likely allows: one of its examples, or the simplest value of its type.
  package var sample: JSON {
    if let example = json["examples"]?[0] ?? json["const"] ?? json["enum"]?[0] { return example }
    if case .array(let schemas)? = json["anyOf"], let first = schemas.first { return JSONSchema(first).sample }
    var type = json["type"]
    if case .array(let types)? = type { type = types.first }
    switch type {
    case "string": return .string("")
    case "boolean": return .bool(false)
    case "integer", "number": return leastNumber
    case "array": return .array([])
    case "object":
      guard case .object(let properties)? = json["properties"] else { return .object([]) }
      return .object(properties.map { JSON.Member(name: $0.name, value: JSONSchema($0.value).sample) })
    default: return .null
    }
  }

  /// The number within the bounds that is nearest to 0.
  private var leastNumber: JSON {
    let lowest = json["minimum"].flatMap { try? Double(json: $0) } ?? 0
    if lowest > 0 { return json["minimum"] ?? 0 }
    let highest = json["maximum"].flatMap { try? Double(json: $0) } ?? 0
    return highest < 0 ? json["maximum"] ?? 0 : 0
  }
}
