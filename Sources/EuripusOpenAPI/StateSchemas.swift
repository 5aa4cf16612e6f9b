// SPDX-License-Identifier: MIT
import JSONPatching
import ViewModels

/// The schemas of the states of view models, each once under a name of its own, so that they may contain each other.
struct StateSchemas {
  private struct Key: Hashable {
    let surface: SurfaceDescription.Identity
    let showsKind: Bool
  }

  /// By name, in the order in which they were met.
  private(set) var all: [(name: String, schema: JSONSchema)] = []
  private var indices: [Key: Int] = [:]

  /// A reference to the schema of a view model's state.
  ///
  /// - Parameter showsKind: whether the state says of which kind it is, as it does in a list of different kinds.
  mutating func state(of surface: SurfaceDescription, showsKind: Bool = false) -> JSONSchema {
    let key = Key(surface: surface.identity, showsKind: showsKind)
    if let index = indices[key] { return Self.reference(all[index].name) }
    // Its place is taken first: it may contain itself.
    let index = all.count
    indices[key] = index
    let name = freeName("state.\(surface.name)\(showsKind ? ".of-its-kind" : "")")
    all.append((name, .any))
    all[index].schema = object(surface, showsKind: showsKind)
    return Self.reference(name)
  }

  static func reference(_ name: String) -> JSONSchema { JSONSchema(["$ref": .string("#/components/schemas/\(name)")]) }

  private func freeName(_ name: String) -> String {
    var number = 1
    let candidate = { number == 1 ? name : "\(name)-\(number)" }
    while all.contains(where: { $0.name == candidate() }) { number += 1 }
    return candidate()
  }

  private mutating func object(_ surface: SurfaceDescription, showsKind: Bool) -> JSONSchema {
    var members: [(name: String, schema: JSONSchema)] = []
    if showsKind { members.append(("kind", .constant(.string(surface.name)))) }
    var secrets: Set<String> = []
    for entry in surface.entries {
      guard let schema = member(entry) else { continue }
      if case .secret = entry.form { secrets.insert(entry.name) }
      members.append((entry.name, entry.about.map(schema.described) ?? schema))
    }
    let schema = JSONSchema.object(members, optional: secrets)
    return surface.about.map(schema.described) ?? schema
  }

  /// The member that the state has of an entry; `nil` for an action.
  private mutating func member(_ entry: EntryDescription) -> JSONSchema? {
    switch entry.form {
    case .value(let schema, _, _): schema
    case .secret: JSONSchema.constant("").described("Absent while it is set; its value is never shown.")
    case .action: nil
    case .command(_, let result): Self.command(result)
    case .nested(let child, let isOptional):
      isOptional ? .any(of: [state(of: child()), .null]) : state(of: child())
    case .list(let rows, let hasWindow): list(rows, hasWindow: hasWindow)
    }
  }

  /// A command, as the state has it (PROTOCOL §6).
  static func command(_ result: JSONSchema) -> JSONSchema {
    .object([
      ("enabled", .boolean), ("executing", .boolean), ("progress", .number(in: 0...1).orNull),
      ("result", result.orNull), ("error", .any(of: [reference("CommandError"), .null])),
    ])
  }

  mutating func list(_ rows: SurfaceDescription.Rows, hasWindow: Bool) -> JSONSchema {
    let window: [(name: String, schema: JSONSchema)] =
      hasWindow ? [("count", .integer(in: 0 ... .max)), ("window", ListWindow.jsonSchema)] : []
    return .object(window + [("order", .array(of: .string)), ("items", .dictionary(of: row(rows)))])
  }

  mutating func row(_ rows: SurfaceDescription.Rows) -> JSONSchema {
    switch rows {
    case .same(let row): return state(of: row())
    case .kinds(nil):
      return JSONSchema(["type": "object", "properties": ["kind": ["type": "string"]], "required": ["kind"]])
    case .kinds(let kinds?):
      let kinds = kinds.map { $0() }
      let references = kinds.map { state(of: $0, showsKind: true).json }
      let mapping = zip(kinds, references).map { JSON.Member(name: $0.name, value: $1["$ref"] ?? .null) }
      return JSONSchema([
        "oneOf": .array(references),
        "discriminator": ["propertyName": "kind", "mapping": .object(mapping)],
      ])
    }
  }
}
