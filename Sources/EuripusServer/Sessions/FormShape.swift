// SPDX-License-Identifier: MIT
package import JSONPatching

/// The form of an action's value that a form's body can have: a text, a number or a truth value, or an object of such
/// (PROTOCOL §3).
///
/// One value is that of the only name, whichever that is. The members of an object stand under their own names.
package struct FormShape: Sendable {
  private enum Scalar {
    case text, number, truth
  }

  /// One value, which may be `null`.
  private struct Part {
    let scalar: Scalar
    let mayBeNull: Bool
  }

  private let members: [(name: String, part: Part)]
  /// The value that has no name of its own; `nil` for an object.
  private let only: Part?

  /// - Returns: `nil` for a value that is not flat: a list, an object within another one, or one of several kinds.
  package init?(of taken: JSONSchema) {
    if let part = Self.part(taken.json) {
      (members, only) = ([], part)
      return
    }
    guard taken.json["type"] == "object", case .object(let properties)? = taken.json["properties"],
      taken.json["additionalProperties"] == .bool(false)
    else { return nil }
    var members: [(name: String, part: Part)] = []
    for property in properties {
      guard let part = Self.part(property.value) else { return nil }
      members.append((property.name, part))
    }
    (self.members, only) = (members, nil)
  }

  private static func part(_ schema: JSON) -> Part? {
    let types: [JSON]
    switch schema["type"] {
    case .string(let type)?: types = [.string(type)]
    case .array(let several)?: types = several
    default: return nil
    }
    let others = types.filter { $0 != "null" }
    guard others.count == 1, case .string(let type)? = others.first else { return nil }
    let mayBeNull = others.count < types.count
    switch type {
    case "string": return Part(scalar: .text, mayBeNull: mayBeNull)
    case "integer", "number": return Part(scalar: .number, mayBeNull: mayBeNull)
    case "boolean": return Part(scalar: .truth, mayBeNull: mayBeNull)
    default: return nil
    }
  }

  /// The schema of the form's body.
  ///
  /// - Parameter taken: the schema of the action's value, which may be a reference.
  package func schema(_ taken: JSONSchema) -> JSONSchema {
    if only == nil { return taken }
    return JSONSchema([
      "type": "object", "additionalProperties": taken.json, "minProperties": 1, "maxProperties": 1,
    ]).described("One name, whichever, with the value.")
  }

  // MARK: Reading

  /// The value of a form's body.
  ///
  /// - Throws: `invalid-action` with a pointer to what is unknown, double or of another type.
  func value(of body: [UInt8]) throws(Problem) -> JSON {
    guard let items = FormText.items(body[...]) else {
      throw Problem(.invalidAction, "expected a form in UTF-8, percent-encoded, such as text=milk", pointer: "")
    }
    if let only {
      guard items.count == 1, let item = items.first, body.contains(UInt8(ascii: "=")) else {
        throw Problem(
          .invalidAction,
          "expected one value with a name before it, such as value=milk, got \(items.count) of such form",
          pointer: "")
      }
      return try Self.value(item.value, only, at: "")
    }
    var values: [JSON.Member] = []
    for item in items {
      let pointer = JSONPointer([item.name]).description
      guard let part = members.first(where: { $0.name.utf8.elementsEqual(item.name.utf8) })?.part else {
        let expected = members.map(\.name).joined(separator: ", ")
        throw Problem(.invalidAction, "no name '\(item.name)' here; expected of: \(expected)", pointer: pointer)
      }
      if values.contains(where: { $0.name.utf8.elementsEqual(item.name.utf8) }) {
        throw Problem(.invalidAction, "'\(item.name)' stands twice; expected it once", pointer: pointer)
      }
      values.append(JSON.Member(name: item.name, value: try Self.value(item.value, part, at: pointer)))
    }
    return .object(values)
  }

  /// The value that a text stands for. It is not repeated in a problem, as it may be a secret.
  private static func value(_ text: String, _ part: Part, at pointer: String) throws(Problem) -> JSON {
    switch part.scalar {
    case .text: return .string(text)
    case _ where text.isEmpty && part.mayBeNull: return .null
    case .number:
      do throws(JSONError) {
        let value = try JSONReader.read(text)
        switch value {
        case .integer, .number: return value
        default: break
        }
      } catch {}
      throw Problem(.invalidAction, "expected a number such as 12, got a text that is none", pointer: pointer)
    case .truth:
      if text == "true" || text == "false" { return .bool(text == "true") }
      throw Problem(.invalidAction, "expected true or false, got another text", pointer: pointer)
    }
  }
}
