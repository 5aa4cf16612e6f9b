// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// The schemas of the states of view models, each once under a name of its own, so that they may contain each other.
struct StateSchemas {
  private struct Key: Hashable {
    let surface: SurfaceDescription.Identity
    let showsKind: Bool
  }

  var shelf = SchemaShelf()
  private var names: [Key: String] = [:]

  /// A reference to the schema of a view model's state.
  ///
  /// - Parameter showsKind: whether the state has its kind as a member, as in a list of different kinds.
  mutating func state(of surface: SurfaceDescription, showsKind: Bool = false) -> JSONSchema {
    let key = Key(surface: surface.identity, showsKind: showsKind)
    if let name = names[key] { return SchemaShelf.reference(name) }
    // Its place is taken first: it may contain itself.
    let name = shelf.reserve(SchemaName.of(surface.name) + (showsKind ? "Row" : "State"))
    names[key] = name
    shelf.fill(name, object(surface, showsKind: showsKind))
    return SchemaShelf.reference(name)
  }

  private mutating func object(_ surface: SurfaceDescription, showsKind: Bool) -> JSONSchema {
    var members: [(name: String, schema: JSONSchema)] = []
    if showsKind { members.append(("kind", .constant(.string(surface.name)))) }
    var optional: Set<String> = []
    for entry in surface.entries {
      guard let schema = member(entry, of: surface) else { continue }
      if case .secret = entry.form { optional.insert(entry.name) }
      if entry.isHidden { optional.insert(entry.name) }
      members.append((entry.name, entry.explained.map(schema.described) ?? schema))
    }
    let schema = JSONSchema.object(members, optional: optional)
    return surface.about.map(schema.described) ?? schema
  }

  /// The member that the state has of an entry; `nil` for an action.
  private mutating func member(_ entry: EntryDescription, of surface: SurfaceDescription) -> JSONSchema? {
    let name = Self.name(entry, of: surface)
    return switch entry.form {
    case .value(let schema, _, _): shelf.place(schema, named: name)
    case .secret: JSONSchema.constant("").described("Absent while it is set; its value is never shown.")
    case .action: nil
    case .command(_, let result): command(result, named: name)
    case .nested(let child, let isOptional):
      isOptional ? .any(of: [state(of: child()), .null]) : state(of: child())
    case .list(let rows, let hasWindow): list(rows, hasWindow: hasWindow, named: name)
    case .uploads(let child): state(of: child())
    }
  }

  /// The name of an entry's schemas. It is the same wherever they are used, so the schemas are too.
  static func name(_ entry: EntryDescription, of surface: SurfaceDescription) -> String {
    SchemaName.of(surface.name) + SchemaName.of(entry.name)
  }

  /// A command, as the state has it (PROTOCOL §6).
  mutating func command(_ result: JSONSchema, named name: String) -> JSONSchema {
    let result = shelf.place(result, named: name + "Result")
    let command = JSONSchema.object([
      ("enabled", .boolean), ("executing", .boolean), ("progress", .number(in: 0...1).orNull),
      ("result", result.orNull), ("error", .any(of: [SchemaShelf.reference("CommandError"), .null])),
    ])
    return shelf.place(command, named: name + "Command")
  }

  mutating func list(_ rows: SurfaceDescription.Rows, hasWindow: Bool, named name: String) -> JSONSchema {
    let window: [(name: String, schema: JSONSchema)] =
      hasWindow ? [("count", .integer(in: 0 ... .max)), ("window", ListWindow.jsonSchema)] : []
    let items = shelf.place(.dictionary(of: row(rows, named: name)), named: name + "Rows")
    return shelf.place(.object(window + [("order", .array(of: .string)), ("items", items)]), named: name + "List")
  }

  /// - Parameter name: the list's name.
  mutating func row(_ rows: SurfaceDescription.Rows, named name: String) -> JSONSchema {
    switch rows {
    case .same(let row): return state(of: row())
    case .kinds(nil):
      let row = JSONSchema(["type": "object", "properties": ["kind": ["type": "string"]], "required": ["kind"]])
      return shelf.place(row, named: name + "Row")
    case .kinds(let kinds?):
      let kinds = kinds.map { $0() }
      let references = kinds.map { state(of: $0, showsKind: true).json }
      let mapping = zip(kinds, references).map { JSON.Member(name: $0.name, value: $1["$ref"] ?? .null) }
      let row = JSONSchema([
        "oneOf": .array(references),
        "discriminator": ["propertyName": "kind", "mapping": .object(mapping)],
      ])
      return shelf.place(row, named: name + "Row")
    }
  }
}
