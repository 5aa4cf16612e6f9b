// SPDX-License-Identifier: MIT
import JSONPatching

/// A text in Swift: the types of a view model.
struct SwiftText {
  private(set) var text = ""
  private let shapes: [String: TypeShape]
  /// The names of the types whose values clients send.
  private let sent: Set<String>

  init(_ types: ModelTypes) {
    let shapes = Dictionary(uniqueKeysWithValues: types.definitions.map { ($0.name, $0.shape) })
    self.shapes = shapes
    var next = (types.values + types.actions).compactMap(\.takes).flatMap(\.names) + (types.params?.names ?? [])
    var sent: Set<String> = []
    while let name = next.popLast() {
      if sent.insert(name).inserted { next += shapes[name]?.parts.flatMap(\.names) ?? [] }
    }
    self.sent = sent
  }

  mutating func line(_ line: String = "") { text += line + "\n" }

  mutating func comment(_ about: String?, indent: String = "  ") {
    for each in about?.split(separator: "\n") ?? [] { line("\(indent)/// \(each)") }
  }

  /// A method of one statement, on one line where that fits.
  mutating func method(_ head: String, _ statement: String) {
    let whole = "  \(head) { \(statement) }"
    line(whole.count <= 120 ? whole : "  \(head) {\n    \(statement)\n  }")
  }

  // MARK: Definitions

  /// The definition of a type, after an empty line; nothing for one that has no type of its own in Swift.
  mutating func definition(_ definition: ModelTypes.Definition) {
    switch definition.shape {
    case .object(let members): structure(definition, members)
    case .oneOf(let values) where Self.texts(values) != nil: enumeration(definition, Self.texts(values) ?? [])
    case .union(let shapes, let kinds) where !kinds.isEmpty: rows(definition, shapes, kinds)
    default: break
    }
  }

  private mutating func structure(_ definition: ModelTypes.Definition, _ members: [TypeShape.Member]) {
    let names = SwiftName.all(of: members.map(\.name))
    line()
    comment(definition.about)
    line("  struct \(definition.name): Codable, Equatable, Sendable {")
    for (name, member) in zip(names, members) {
      comment(member.about, indent: "    ")
      line("    \(declaration(of: member, name, in: definition.name))")
    }
    if zip(names, members).contains(where: { Self.bare($0) != $1.name }) {
      line("    enum CodingKeys: String, CodingKey {")
      cases(members.map(\.name), indent: "      ")
      line("    }")
    }
    line("  }")
  }

  private func declaration(of member: TypeShape.Member, _ name: String, in type: String) -> String {
    var shape = member.shape
    if member.isOptional { shape = .optional(shape.present) }
    guard case .optional(let present) = shape else { return "var \(name): \(self.type(shape))" }
    if contains(present, type) { return "var \(name): Boxed<\(self.type(present))>?" }
    // The member is not optional on the wire: a client sends `null` for no value, and may not leave the member out.
    let wrapper = !member.isOptional && sent.contains(type) ? "@OrNull " : ""
    return "\(wrapper)var \(name): \(self.type(shape))"
  }

  /// Whether a value of a shape may have one of a type within itself, other than in a list or a dictionary.
  private func contains(_ shape: TypeShape, _ type: String, _ seen: Set<String> = []) -> Bool {
    switch shape {
    case .named(let name):
      name == type || !seen.contains(name) && (shapes[name].map { contains($0, type, seen.union([name])) } ?? false)
    case .optional(let present): contains(present, type, seen)
    case .object(let members): members.contains { contains($0.shape, type, seen) }
    case .union(let shapes, _): shapes.contains { contains($0, type, seen) }
    case .command(let result): contains(result, type, seen)
    case .any, .null, .boolean, .integer, .number, .text, .constant, .oneOf, .list, .dictionary, .rows: false
    }
  }

  private mutating func enumeration(_ definition: ModelTypes.Definition, _ texts: [String]) {
    line()
    comment(definition.about)
    line("  enum \(definition.name): String, Codable, Sendable {")
    cases(texts)
    line("  }")
  }

  /// The cases of an enumeration of texts, without its first line and its last.
  ///
  /// Names that are their own texts share a line.
  mutating func cases(_ texts: [String], indent: String = "    ") {
    var names = ""
    for (name, text) in zip(SwiftName.all(of: texts), texts) {
      let isText = Self.bare(name) == text
      if !names.isEmpty, !isText || indent.count + names.count + name.count > 110 {
        line("\(indent)case \(names)")
        names = ""
      }
      if isText {
        names += names.isEmpty ? name : ", \(name)"
      } else {
        line("\(indent)case \(name) = \(Self.literal(text))")
      }
    }
    if !names.isEmpty { line("\(indent)case \(names)") }
  }

  /// A text as Swift writes it.
  private static func literal(_ text: String) -> String {
    let scalars = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case _ where scalar.properties.generalCategory == .control: "\\u{\(String(scalar.value, radix: 16))}"
      default: String(scalar)
      }
    }
    return "\"\(scalars.joined())\""
  }

  /// A name without backticks.
  private static func bare(_ name: String) -> String { name.filter { $0 != "`" } }

  private mutating func rows(_ definition: ModelTypes.Definition, _ shapes: [TypeShape], _ kinds: [String]) {
    let names = SwiftName.all(of: kinds)
    line()
    comment(definition.about)
    line("  enum \(definition.name): Codable, Equatable, Sendable {")
    for (name, shape) in zip(names, shapes) { line("    case \(name)(\(type(shape)))") }
    line("    init(from decoder: any Decoder) throws {")
    line("      switch try RowKind(from: decoder).kind {")
    for (index, name) in names.enumerated() {
      line("      case \(Self.literal(kinds[index])): self = .\(name)(try \(type(shapes[index]))(from: decoder))")
    }
    line("      default: throw RowKind.unknown(decoder)")
    line("      }")
    line("    }")
    line("    func encode(to encoder: any Encoder) throws {")
    line("      switch self {")
    for name in names { line("      case .\(name)(let row): try row.encode(to: encoder)") }
    line("      }")
    line("    }")
    line("  }")
  }

  // MARK: Types

  func type(_ shape: TypeShape) -> String {
    switch shape {
    case .any, .null, .union: "JSON"
    case .boolean, .constant(.bool): "Bool"
    case .integer, .constant(.integer): "Int"
    case .number, .constant(.number): "Double"
    case .text(format: "date-time"): "Date"
    case .text(format: "uuid"): "UUID"
    case .text, .constant(.string): "String"
    case .constant: "JSON"
    case .oneOf(let values): Self.texts(values) == nil ? Self.isIntegers(values) ? "Int" : "JSON" : "String"
    case .optional(let shape): "\(type(shape))?"
    case .list(let shape): "[\(type(shape))]"
    case .dictionary(let shape): "[String: \(type(shape))]"
    case .object: "JSON"
    case .named(let name): named(name)
    case .rows(let row, let hasWindow): "\(hasWindow ? "RemoteWindow" : "RemoteRows")<\(type(row))>"
    case .command(let result): "RemoteCommand<\(type(result))>"
    }
  }

  private func named(_ name: String) -> String {
    switch shapes[name] {
    case .object?: name
    case .oneOf(let values)? where Self.texts(values) != nil: name
    case .union(_, let kinds)? where !kinds.isEmpty: name
    case let shape?: type(shape)
    case nil: "JSON"
    }
  }

  private static func texts(_ values: [JSON]) -> [String]? {
    let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
    return texts.count == values.count ? texts : nil
  }

  private static func isIntegers(_ values: [JSON]) -> Bool {
    values.allSatisfy { if case .integer = $0 { true } else { false } }
  }
}
