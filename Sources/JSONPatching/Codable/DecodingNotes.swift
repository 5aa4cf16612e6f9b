// SPDX-License-Identifier: MIT

/// Notes about the value that an `init(from:)` asked for: its members, its elements or its type.
final class DecodingNotes {
  enum Content {
    case nothing
    /// One value.
    case value(JSONSchema)
    case members([Member])
    case elements([DecodingNotes], isOpen: Bool)
    /// Contents that notes cannot tell, as the names of all members were asked for.
    case unknown
  }

  struct Member {
    let name: String
    let notes: DecodingNotes
    var isOptional = false
  }

  private(set) var content = Content.nothing
  /// Whether the `init(from:)` has asked if the value is `null`.
  var isNullable = false

  func note(_ schema: JSONSchema) { if case .nothing = content { content = .value(schema) } }
  func noteUnknown() { content = .unknown }

  func noteMembers() { if case .nothing = content { content = .members([]) } }

  /// The notes of a member.
  func member(_ name: String, isOptional: Bool = false) -> DecodingNotes {
    guard case .members(var members) = content else { return DecodingNotes() }
    let index = members.firstIndex { $0.name == name } ?? members.endIndex
    if index == members.endIndex { members.append(Member(name: name, notes: DecodingNotes())) }
    if isOptional { members[index].isOptional = true }
    content = .members(members)
    return members[index].notes
  }

  func noteElements(isOpen: Bool = false) {
    if case .nothing = content { content = .elements([], isOpen: false) }
    if isOpen, case .elements(let elements, _) = content { content = .elements(elements, isOpen: true) }
  }

  var elementCount: Int { if case .elements(let elements, _) = content { elements.count } else { 0 } }

  /// The notes of one more element.
  func element() -> DecodingNotes {
    let notes = DecodingNotes()
    if case .elements(let elements, let isOpen) = content { content = .elements(elements + [notes], isOpen: isOpen) }
    return notes
  }

  /// The schema, as far as it was noted; nil if nothing was.
  var schema: JSONSchema? {
    guard let schema = ownSchema else { return nil }
    return isNullable ? schema.orNull : schema
  }

  private var ownSchema: JSONSchema? {
    switch content {
    case .nothing, .unknown: return nil
    case .value(let schema): return schema
    case .members(let members):
      let optional = members.filter(\.isOptional).map(\.name)
      return .openObject(members.map { ($0.name, $0.notes.schema ?? .any) }, optional: Set(optional))
    case .elements(let elements, let isOpen):
      let schemas = elements.map { $0.schema ?? .any }
      guard let first = schemas.first, schemas.allSatisfy({ $0.json == first.json }) else { return .array(of: .any) }
      guard !isOpen, case .object(let rules) = JSONSchema.array(of: first).json else { return .array(of: first) }
      return JSONSchema(.object(rules + [JSON.Member(name: "minItems", value: .integer(Int64(elements.count)))]))
    }
  }
}
