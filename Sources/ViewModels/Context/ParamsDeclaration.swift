// SPDX-License-Identifier: MIT
public import JSONPatching

/// The parameters that a surface declares.
package struct ParamsDeclaration: Sendable {
  let type: ObjectIdentifier
  /// The type's name.
  let name: String
  package let schema: JSONSchema
  private let check: @Sendable (JSON) -> JSONMismatch?

  init<Params: JSONRepresentable>(_ type: Params.Type) {
    self.type = ObjectIdentifier(type)
    name = "\(type)"
    schema = Params.jsonSchema
    check = { json in
      do throws(JSONMismatch) { _ = try Params(json: json) } catch { return error }
      return nil
    }
  }

  /// Everything that is wrong with parameters: members that there are not, and those of another type, each with its place.
  func faults(of params: JSON) -> [JSONMismatch] {
    guard case .object(let members) = params else {
      return [JSONMismatch(expected: "an object of parameters", found: params)]
    }
    let names = properties.map(\.name)
    let unknown = members.filter { member in !names.isEmpty && !names.contains(member.name) }.map { member in
      JSONMismatch(
        expected: "one of: \(names.joined(separator: ", "))", found: "'\(member.name)'", at: JSONPointer([member.name]))
    }
    let missing = required.filter { params[$0] == nil }
    var faults = unknown + missing.map { JSONMismatch(expected: "a value", found: "nothing", at: JSONPointer([$0])) }
    // Decoding ends at the first member that does not fit: each that is found gives way to one that does.
    var rest = params
    for property in properties where missing.contains(property.name) {
      rest[property.name] = JSONSchema(property.value).sample
    }
    while let fault = check(rest) {
      faults.append(fault)
      guard let name = fault.pointer.tokens.first, let property = properties.first(where: { $0.name == name }),
        faults.filter({ $0.pointer.tokens.first == name }).count == 1
      else { break }
      rest[name] = JSONSchema(property.value).sample
    }
    return faults
  }

  private var required: [String] {
    guard case .array(let names)? = schema.json["required"] else { return [] }
    return names.compactMap { name in if case .string(let text) = name { text } else { nil } }
  }

  private var properties: [JSON.Member] {
    if case .object(let members)? = schema.json["properties"] { members } else { [] }
  }
}

extension SurfaceEntry {
  /// The parameters that a session is opened with: `{"params":{"board":7}}`, checked then, and read by
  /// ``SessionContext/params(_:)``.
  ///
  /// ```swift
  /// struct BoardParams: Codable, JSONRepresentable { var board: Int, tab: String? }
  /// static let surface = Surface<Board>("board", .params(BoardParams.self), …)
  /// ```
  ///
  /// - Parameter type: of an object. A member that may be left out is an optional.
  public static func params<Params: JSONRepresentable>(_ type: Params.Type) -> Self {
    var entry = Self()
    entry.params = ParamsDeclaration(type)
    return entry
  }
}
