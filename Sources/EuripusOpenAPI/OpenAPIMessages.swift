// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching
import ViewModels

/// The schemas of the JSON that goes over the wire, whatever the view model is (PROTOCOL §2, §3, §6, §7).
enum OpenAPIMessages {
  /// Puts the schemas that are the same for all view models onto the shelf.
  static func place(in shelf: inout SchemaShelf) {
    let name = shelf.reserve("Version")
    shelf.fill(
      name,
      JSONSchema(["type": "string", "pattern": .string(versionPattern)]).described(
        "A version of a session's state, `epoch.revision`. To be compared and sent back, not to be taken apart."))
    let operations: [JSONSchema] = [
      operation("add", ("value", .any)), operation("replace", ("value", .any)), operation("remove"),
      operation("move", ("from", pointer)),
    ]
    _ = shelf.place(
      .one(of: operations).described("One operation of a JSON Patch (RFC 6902)."), named: "Operation")
    let error = JSONSchema.object([("type", .string), ("detail", .string)]).described("Why a command failed.")
    _ = shelf.place(error, named: "CommandError")
    _ = shelf.place(problem, named: "Problem")
    _ = shelf.place(preferences, named: "Preferences")
    _ = shelf.place(uploadAddress, named: "UploadAddress")
    _ = shelf.place(opening(nil, params: nil), named: "Opening")
    _ = shelf.place(.object([("models", .array(of: .string))]), named: "ModelNames")
    _ = shelf.place(
      JSONSchema(["type": "object"]).described("An OpenAPI document."), named: "Description")
    let session = shelf.place(ownSession, named: "OwnSession")
    _ = shelf.place(.object([("sessions", .array(of: session))]), named: "OwnSessions")
    let replayed = JSONSchema.object([("replayed", .constant(true)), ("version", version)])
    _ = shelf.place(
      replayed.described("The request with this key came before, and its answer is no longer known."),
      named: "Replayed")
  }

  /// Lower-case letters and digits, a dot, and a number that fits.
  static let versionPattern = "^[a-z0-9]{1,16}[.][1-9][0-9]{0,17}$"
  static let idPattern = "^[A-Za-z0-9_-]{22}$"

  private static let pointer = JSONSchema(["type": "string", "pattern": "^(/([^/~]|~[01])*)*$"])
  static let version = SchemaShelf.reference("Version")

  private static func operation(_ name: String, _ more: (name: String, schema: JSONSchema)...) -> JSONSchema {
    .object([("op", .constant(.string(name))), ("path", pointer)] + more).titled(SchemaName.of(name) + "Operation")
  }

  private static let uploadAddress = JSONSchema.object([
    ("url", .string), ("fields", JSONSchema(["type": "object", "additionalProperties": ["type": "string"]])),
  ])
  .described("Where a client sends the bytes of a file by PUT, and with which fields.")

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
        "items": JSONSchema.object(
          [("pointer", pointer), ("detail", .string), ("value", .any.described("The value that is there."))],
          optional: ["value"]
        ).titled("ProblemPart").json,
      ],
      "value": ["description": "The value that is there, where somebody else has changed it."],
      "limit": ["type": "string", "description": "The limit that was met, by the name of its setting."],
      "scope": ["type": "string", "description": "Whose limit it is, as the session's, the client's or the server's."],
      "retryAfter": ["type": "integer", "description": "The seconds after which the request may come again."],
      "refusal": [
        "type": "string",
        "description": "The kind of error with which the view model refused, a word of the app's own.",
      ],
      "reason": [
        "type": "string", "description": "Why a session ended that its client has not closed: `superseded` or `ended`.",
      ],
    ],
    "required": ["type", "title", "status", "detail"],
  ]).described("What went wrong (RFC 9457). Nothing has been applied.")

  /// A session as its client, or its user, may know of it.
  private static let ownSession = JSONSchema.object([
    ("url", JSONSchema(["type": "string", "format": "uri-reference"]).described("Where the session is.")),
    ("model", .string),
    ("age", JSONSchema(["type": "integer", "minimum": 0]).described("Seconds since somebody last used it.")),
    (
      "reachable",
      JSONSchema(["type": "boolean"]).described(
        "Whether this client can use it: not one of another client of its user's.")
    ),
  ]).described("A session that lives.")

  /// The languages and the time zone of a client.
  private static let preferences = JSONSchema.object(
    [
      (
        "languages",
        JSONSchema([
          "type": "array", "maxItems": 10,
          "items": ["type": "string", "pattern": "^[A-Za-z][A-Za-z0-9]{0,7}(-[A-Za-z0-9]{1,8})*$", "maxLength": 35],
        ]).described("Tags of BCP 47, the most wanted first.")
      ),
      (
        "timeZone",
        JSONSchema(["type": "string", "pattern": "^[A-Za-z0-9/_+-]{1,64}$"]).described(
          "A name of the IANA time zone database, such as Europe/Vienna.")
      ),
    ], optional: ["languages", "timeZone"]
  ).described("What a client prefers.")

  /// The body that opens a session.
  ///
  /// - Parameters:
  ///   - address: `nil` for a view model that has none.
  ///   - params: `nil` for a view model that takes none.
  ///   - needsParams: whether a session is opened with them only.
  ///   - takesGuests: whether it is a room into which clients may be invited.
  static func opening(
    _ address: JSONSchema?, params: JSONSchema?, needsParams: Bool = false, takesGuests: Bool = false
  ) -> JSONSchema {
    let address = address.map { [(name: "address", schema: $0.described("Where the session is to be."))] } ?? []
    let text = JSONSchema(["type": "string"]).described("The invitation by which the client comes into a room.")
    let invitation = takesGuests ? [(name: "invitation", schema: text)] : []
    let auth = JSONSchema.string(oneOf: ClientKey.Means.allCases.map(\.rawValue))
    return .object(
      [
        ("params", params ?? .object([])), ("auth", auth.described("How the client keeps its key.")),
        ("client", SchemaShelf.reference("Preferences")),
      ] + invitation + address,
      optional: Set(["auth", "client", "address", "invitation"] + (needsParams ? [] : ["params"])))
  }

  /// The address of a view model's page.
  ///
  /// - Parameter start: the text that it begins with.
  static func address(_ start: String) -> JSONSchema {
    func escaped(_ text: some StringProtocol) -> String {
      String(text.flatMap { ".$()*".contains($0) ? "\\\($0)" : "\($0)" })
    }
    // A page is found without the ending of its file too.
    let isFile = start.hasSuffix(HostedPage.ending)
    let page =
      isFile
      ? "\(escaped(start.dropLast(HostedPage.ending.count)))(\(escaped(HostedPage.ending)))?" : escaped(start)
    let rest = start == "/" ? "[!-~]*" : "([/?#][!-~]*)?"
    return JSONSchema([
      "type": "string", "pattern": .string("^\(page)\(rest)$"),
      "maxLength": .integer(Int64(AddressHome.maxBytes)),
    ])
  }

  /// The first answer of a session.
  static func opened(_ model: String, _ state: JSONSchema, _ address: JSONSchema?) -> JSONSchema {
    .object(
      [
        ("url", JSONSchema(["type": "string", "format": "uri-reference"]).described("Where the session is.")),
        (
          "token",
          JSONSchema.string.described("A new client's key, told this once, if it asked for one that is no cookie.")
        ), ("model", .constant(.string(model))), ("version", version), ("state", state),
      ] + addressMember(address), optional: ["token"])
  }

  static func snapshot(_ model: String, _ state: JSONSchema, _ address: JSONSchema?) -> JSONSchema {
    .object(
      [("model", .constant(.string(model))), ("version", version), ("state", state)] + addressMember(address))
  }

  private static func addressMember(_ address: JSONSchema?) -> [(name: String, schema: JSONSchema)] {
    address.map { [("address", $0.described("The address that leads to this state."))] } ?? []
  }

  /// A message of forward flow that answers no change.
  ///
  /// - Parameter name: the view model's name.
  static func frame(_ name: String, _ state: JSONSchema, _ address: JSONSchema?) -> JSONSchema {
    .one(of: forms(state, address, []).map { $0.schema.titled("\(name)\($0.kind)Frame") })
  }

  /// A message that answers a change.
  ///
  /// - Parameters:
  ///   - name: the name of the view model, or of the change.
  ///   - answer: the member that it has beside the members of a frame: `result` or `results`.
  static func outcome(
    _ name: String, _ state: JSONSchema, _ address: JSONSchema?, answer: (name: String, schema: JSONSchema)
  ) -> JSONSchema {
    let token = JSONSchema.string.described(
      "The client's new key, told this once, if it keeps that by itself and has signed in, or out, by this.")
    // A generator of clients for Python makes code that is none of a constant that is optional and no text.
    let ended = JSONSchema(["type": "boolean"]).described(
      "True: the session is its user's own, and the client has signed out by this, so it is the client's no more.")
    let location = JSONSchema(["type": "string", "format": "uri-reference"]).described(
      "The page to which the view model has sent the client.")
    let more = [("token", token), ("ended", ended), ("location", location), answer]
    let minimal = JSONSchema.object(
      [("to", version)] + addressMember(address) + more, optional: ["token", "ended", "location", "address"]
    )
    .described("The version alone, as the client wished.")
    let outcomes = (forms(state, address, more) + [("Minimal", minimal)]).map {
      $0.schema.titled("\(name)\($0.kind)Outcome")
    }
    return .one(of: outcomes + [SchemaShelf.reference("Replayed")])
  }

  private static func forms(
    _ state: JSONSchema, _ address: JSONSchema?, _ more: [(name: String, schema: JSONSchema)]
  ) -> [(kind: String, schema: JSONSchema)] {
    let operations = JSONSchema.array(of: SchemaShelf.reference("Operation"))
    let replace = JSONSchema.constant("replace").described("The change takes the place of the present history entry.")
    let history = address == nil ? [] : [(name: "history", schema: replace)]
    let more = addressMember(address) + history + more
    return [
      (
        "Patch",
        .object(
          [("from", version), ("to", version), ("patch", operations)] + more,
          optional: ["token", "ended", "location", "address", "history"]
        )
        .described("What takes the state at `from` to the one at `to`.")
      ),
      (
        "State",
        .object(
          [("from", .any(of: [version, .null])), ("to", version), ("state", state)] + more,
          optional: ["token", "ended", "location", "history"]
        )
        .described("The whole state, where that is shorter or nothing is known of `from`.")
      ),
    ]
  }
}

extension JSONSchema {
  /// Exactly one of these schemas.
  static func one(of schemas: [JSONSchema]) -> JSONSchema { JSONSchema(["oneOf": .array(schemas.map(\.json))]) }
}
