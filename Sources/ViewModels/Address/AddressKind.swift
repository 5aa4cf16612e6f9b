// SPDX-License-Identifier: MIT
import JSONPatching

/// The kind of JSON of a value in the address. A string stands there as it is, a number or a boolean as its
/// JSON.
enum AddressKind: Sendable {
  case string, number, boolean

  /// - Returns: `nil` for a type whose JSON may be of another kind, or of several kinds.
  init?(_ schema: JSONSchema) {
    let types = Self.types(schema.json).subtracting(["null"])
    switch types {
    case ["string"]: self = .string
    case ["boolean"]: self = .boolean
    case ["integer"], ["number"], ["integer", "number"]: self = .number
    default: return nil
    }
  }

  private static func types(_ schema: JSON) -> Set<String> {
    switch schema["type"] {
    case .string(let type)?: return [type]
    case .array(let types)?: return Set(types.compactMap { if case .string(let type) = $0 { type } else { nil } })
    default: break
    }
    if let constant = schema["const"] { return [type(of: constant)] }
    if case .array(let values)? = schema["enum"] { return Set(values.map(type)) }
    if case .array(let schemas)? = schema["anyOf"] ?? schema["oneOf"] {
      return schemas.reduce(into: []) { $0.formUnion(types($1)) }
    }
    return ["any"]
  }

  private static func type(of json: JSON) -> String {
    switch json {
    case .null: "null"
    case .bool: "boolean"
    case .integer, .number: "number"
    case .string: "string"
    case .array, .object: "any"
    }
  }

  /// The JSON that a text stands for; `nil` for a text of another kind.
  func json(_ text: String) -> JSON? {
    if self == .string { return .string(text) }
    guard let json = try? JSONReader.read(text) else { return nil }
    switch (self, json) {
    case (.number, .integer), (.number, .number), (.boolean, .bool): return json
    default: return nil
    }
  }

  /// The text that stands for a value; `nil` for `null`.
  static func text(of value: some JSONRepresentable) -> String? {
    var writer = JSONWriter(capacity: 32)
    value.write(to: &writer)
    if writer.bytes == Array("null".utf8) { return nil }
    if writer.bytes.first == UInt8(ascii: "\""), case .string(let text)? = try? JSONReader.read(writer.bytes) {
      return text
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}
