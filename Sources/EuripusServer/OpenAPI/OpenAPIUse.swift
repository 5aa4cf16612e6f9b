// SPDX-License-Identifier: MIT
import JSONPatching

/// What an endpoint is to the declarations that a path leads to.
struct OpenAPIUse {
  /// What it does, for people.
  let verb: String
  let isPossible: Bool
  /// What it takes as its body; `nil` for an empty one.
  let taken: JSONSchema?
  /// The value that it shows.
  let shown: JSONSchema?
  /// What the command may have come to.
  let result: JSONSchema
  let about: [String]
  private let isConditional: Bool
  private let isCommand: Bool
  private let isReadOnly: Bool

  init(_ endpoint: Endpoint, _ leaves: [SurfacePaths.Leaf]) {
    var (taken, shown, results): ([JSONSchema], [JSONSchema], [JSONSchema]) = ([], [], [])
    var (isConditional, isCommand, isReadOnly) = (false, false, false)
    for leaf in leaves {
      switch leaf.form {
      case .value(let schema, let isWritable, let condition):
        shown.append(schema)
        if isWritable { taken.append(schema) } else { isReadOnly = true }
        isConditional = isConditional || condition
      case .secret(let condition):
        taken.append(JSONSchema(["type": "string", "format": "password", "writeOnly": true]))
        isConditional = isConditional || condition
      case .action(let value, let condition):
        if let value { taken.append(value) }
        isConditional = isConditional || condition
      case .command(let value, let result):
        if let value { taken.append(value) }
        results.append(result)
        (isConditional, isCommand) = (true, true)
      }
    }
    (verb, isPossible) =
      switch endpoint.name {
      case "value": ("Read", !shown.isEmpty)
      case "set": ("Set", !taken.isEmpty)
      case "cancel": ("Cancel", isCommand)
      default: ("Perform", true)
      }
    self.taken = endpoint.body == .none ? nil : Self.any(of: taken)
    self.shown = Self.any(of: shown)
    // Only performing waits for what a command comes to.
    result = endpoint.name == "perform" ? Self.any(of: results.map(\.orNull)) ?? .null : .null
    about = leaves.compactMap(\.about).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    (self.isConditional, self.isCommand, self.isReadOnly) = (isConditional, isCommand, isReadOnly)
  }

  /// Whether a request of it may meet this problem.
  func canMeet(_ problem: Problem.Kind) -> Bool {
    switch problem {
    case .readOnly: isReadOnly
    case .actionDisabled: isConditional
    case .commandBusy: isCommand
    default: true
    }
  }

  private static func any(of schemas: [JSONSchema]) -> JSONSchema? {
    let different = schemas.reduce(into: [JSONSchema]()) { found, schema in
      if !found.contains(where: { $0.json == schema.json }) { found.append(schema) }
    }
    return different.count > 1 ? .any(of: different) : different.first
  }
}
