// SPDX-License-Identifier: MIT

/// One step of a JSON Patch (RFC 6902): the four operations that frames use (PROTOCOL §6).
public enum PatchOperation: Sendable, Equatable {
  case add(path: JSONPointer, value: JSON)
  case remove(path: JSONPointer)
  case replace(path: JSONPointer, value: JSON)
  case move(from: JSONPointer, path: JSONPointer)
}

/// The JSON of an operation (RFC 6902 §3, §4). Members that an operation does not define are ignored.
extension PatchOperation: JSONRepresentable {
  public static var jsonTypeName: String { "patch operation" }

  public init(json: JSON) throws(JSONMismatch) {
    guard case .object = json else { throw JSONMismatch(expected: Self.jsonTypeName, found: json) }
    let name = try Self.member("op", of: json, expected: String.jsonTypeName)
    guard case .string(let name) = name else {
      throw JSONMismatch(expected: String.jsonTypeName, found: name, at: JSONPointer(["op"]))
    }
    switch name {
    case "add": self = .add(path: try Self.pointer("path", of: json), value: try Self.value(of: json))
    case "remove": self = .remove(path: try Self.pointer("path", of: json))
    case "replace": self = .replace(path: try Self.pointer("path", of: json), value: try Self.value(of: json))
    case "move": self = .move(from: try Self.pointer("from", of: json), path: try Self.pointer("path", of: json))
    default:
      throw JSONMismatch(
        expected: "one of: add, move, remove, replace", found: "another operation", at: JSONPointer(["op"]))
    }
  }

  private static func member(_ name: String, of json: JSON, expected: String) throws(JSONMismatch) -> JSON {
    guard let value = json[name] else {
      throw JSONMismatch(expected: expected, found: "nothing", at: JSONPointer([name]))
    }
    return value
  }

  private static func value(of json: JSON) throws(JSONMismatch) -> JSON {
    try member("value", of: json, expected: "a value")
  }

  private static func pointer(_ name: String, of json: JSON) throws(JSONMismatch) -> JSONPointer {
    let value = try member(name, of: json, expected: "a JSON Pointer")
    guard case .string(let text) = value else {
      throw JSONMismatch(expected: "a JSON Pointer", found: value, at: JSONPointer([name]))
    }
    guard let pointer = JSONPointer(text) else {
      throw JSONMismatch(expected: "a JSON Pointer", found: "another text", at: JSONPointer([name]))
    }
    return pointer
  }

  public func write(to writer: inout JSONWriter) {
    switch self {
    case .add(let path, let value): writer.operation(.add, path.json) { $0.json(value) }
    case .remove(let path): writer.operation(.remove, path.json)
    case .replace(let path, let value): writer.operation(.replace, path.json) { $0.json(value) }
    case .move(let from, let path): writer.move(from: from.json, to: path.json)
    }
  }
}
