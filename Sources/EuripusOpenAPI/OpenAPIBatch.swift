// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching

/// The schemas of many actions at once (PROTOCOL §4): each path of a view model with the value that it takes.
enum OpenAPIBatch {
  /// - Parameters:
  ///   - entry: the schema of one action.
  ///   - name: the view model's name.
  static func body(_ entry: JSONSchema, _ name: String) -> JSONSchema {
    let many = JSONSchema([
      "type": "array", "items": entry.json, "minItems": 1, "maxItems": .integer(Int64(ChangeBody.maxEntries)),
    ])
    return .any(of: [entry, many.titled("\(name)ChangeList")])
  }

  /// One change of a batch: it sets a value, does an action, cancels a command, or goes to an address.
  ///
  /// - Parameters:
  ///   - name: the view model's name.
  ///   - address: `nil` for a view model that has none.
  static func entry(_ paths: SurfacePaths, _ name: String, _ address: JSONSchema?) -> JSONSchema {
    let sets = paths.values.compactMap { path, leaves in
      taken(leaves).map {
        JSONSchema.object(
          [("set", pointer(path)), ("value", $0), ("ifMatch", OpenAPIMessages.version)], optional: ["ifMatch"]
        ).titled("\(name)Set\(SchemaName.of(path: path))")
      }
    }
    let deeds = paths.actions.map { path, leaves in
      let value = taken(leaves)
      // An action without a value takes `null`, or no member at all.
      return JSONSchema.object(
        [("do", pointer(path)), ("value", value ?? .null)], optional: value == nil ? ["value"] : []
      ).titled("\(name)Do\(SchemaName.of(path: path))")
    }
    let cancels = paths.actions.filter { $0.leaves.contains(where: \.isCommand) }.map { path, _ in
      JSONSchema.object([("cancel", pointer(path))]).titled("\(name)Cancel\(SchemaName.of(path: path))")
    }
    let goings = address.map { [JSONSchema.object([("address", $0)]).titled("\(name)GoTo")] } ?? []
    return .any(of: sets + deeds + cancels + goings)
  }

  private static func taken(_ leaves: [SurfacePaths.Leaf]) -> JSONSchema? {
    .anyDifferent(of: leaves.compactMap(\.taken))
  }

  /// A path as a pointer (RFC 6901), with any text in the place of a row's key.
  private static func pointer(_ path: String) -> JSONSchema {
    if !path.contains("{") { return .constant(.string("/" + path)) }
    let segments = path.split(separator: "/").map { $0.hasPrefix("{") ? "([^/~]|~[01])*" : $0 }
    return JSONSchema(["type": "string", "pattern": .string("^/" + segments.joined(separator: "/") + "$")])
  }
}

extension SurfacePaths.Leaf {
  /// The value that it takes to set it, or to perform it; `nil` for none.
  var taken: JSONSchema? {
    switch form {
    case .value(let schema, let isWritable, _): isWritable ? schema : nil
    case .secret: JSONSchema(["type": "string", "format": "password", "writeOnly": true])
    case .action(let takes, _, _), .command(let takes, _): takes
    }
  }

  var isCommand: Bool {
    switch form {
    case .command: true
    case .value, .secret, .action: false
    }
  }
}

extension JSONSchema {
  /// One of these, of which several may be the same; `nil` if there are none.
  static func anyDifferent(of schemas: [JSONSchema]) -> JSONSchema? {
    let different = schemas.reduce(into: [JSONSchema]()) { found, schema in
      if !found.contains(where: { $0.json == schema.json }) { found.append(schema) }
    }
    return different.count > 1 ? .any(of: different) : different.first
  }
}
