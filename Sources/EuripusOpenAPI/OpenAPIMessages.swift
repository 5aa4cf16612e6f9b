// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching

/// The schemas of what goes over the wire, whatever the view model is (PROTOCOL §2, §3, §6, §7).
enum OpenAPIMessages {
  /// Those that stand once, under their names.
  static let shared: [(name: String, schema: JSONSchema)] = [
    (
      "Version",
      JSONSchema(["type": "string", "pattern": .string(versionPattern)]).described(
        "A version of a session's state, `epoch.revision`. To be compared and sent back, not to be taken apart.")
    ),
    (
      "Operation",
      .one(of: [
        .object([("op", .string(oneOf: ["add", "replace"])), ("path", pointer), ("value", .any)]),
        .object([("op", .constant("remove")), ("path", pointer)]),
        .object([("op", .constant("move")), ("from", pointer), ("path", pointer)]),
      ]).described("One operation of a JSON Patch (RFC 6902).")
    ),
    ("CommandError", JSONSchema.object([("type", .string), ("detail", .string)]).described("Why a command failed.")),
    ("Problem", problem),
  ]

  /// Lower-case letters and digits, a dot, and a number that fits.
  static let versionPattern = "^[a-z0-9]{1,16}[.][1-9][0-9]{0,17}$"
  static let idPattern = "^[A-Za-z0-9_-]{22}$"

  private static let pointer = JSONSchema(["type": "string", "pattern": "^(/([^/~]|~[01])*)*$"])
  static let version = StateSchemas.reference("Version")

  private static let problem = JSONSchema([
    "type": "object",
    "properties": [
      "type": [
        "type": "string", "format": "uri-reference", "description": "Which problem it is; the page there says more.",
      ],
      "title": ["type": "string"], "status": ["type": "integer"],
      "detail": ["type": "string", "description": "What happened, what was expected, what came."],
      "errors": [
        "type": "array", "description": "The parts of the body that are wrong.",
        "items": JSONSchema.object([("pointer", pointer), ("detail", .string)]).json,
      ],
    ],
    "required": ["type", "title", "status", "detail"],
  ]).described("What went wrong (RFC 9457). Nothing has been applied.")

  static func opened(_ model: String, _ state: JSONSchema) -> JSONSchema {
    .object(
      [
        ("url", JSONSchema(["type": "string", "format": "uri-reference"]).described("Where the session is.")),
        (
          "token",
          JSONSchema.string.described("A new client's key, told this once, if it asked for one that is no cookie.")
        ), ("model", .constant(.string(model))), ("version", version), ("state", state),
      ], optional: ["token"])
  }

  static func snapshot(_ model: String, _ state: JSONSchema) -> JSONSchema {
    .object([("model", .constant(.string(model))), ("version", version), ("state", state)])
  }

  /// One message of forward flow.
  ///
  /// - Parameter answer: what the answer to a change has beside the frame: `result` or `results`; `nil` for a frame that
  ///   answers none.
  static func frame(_ state: JSONSchema, answer: (name: String, schema: JSONSchema)? = nil) -> JSONSchema {
    let more = answer.map { [$0] } ?? []
    let replayed = JSONSchema.object([("replayed", .constant(true)), ("version", version)]).described(
      "The request with this key came before, and its answer is no longer known.")
    let forms: [JSONSchema] = [
      .object([("from", version), ("to", version), ("patch", .array(of: StateSchemas.reference("Operation")))] + more)
        .described("What takes the state at `from` to the one at `to`."),
      .object([("from", .any(of: [version, .null])), ("to", version), ("state", state)] + more)
        .described("The whole state, where that is shorter or nothing is known of `from`."),
    ]
    return .one(of: answer == nil ? forms : forms + [replayed])
  }

  /// The body that opens a session.
  static let opening = JSONSchema.object(
    [
      ("params", .object([])),
      (
        "auth",
        JSONSchema.string(oneOf: ClientKey.Means.allCases.map(\.rawValue)).described("How the client keeps its key.")
      ),
    ], optional: ["params", "auth"])
}

extension JSONSchema {
  /// Exactly one of these.
  static func one(of schemas: [JSONSchema]) -> JSONSchema { JSONSchema(["oneOf": .array(schemas.map(\.json))]) }
}
