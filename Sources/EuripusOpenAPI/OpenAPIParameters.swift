// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching

/// The parameters of paths and requests, and the fields of responses, each once under a name of its own.
enum OpenAPIParameters {
  static let all: [JSON.Member] =
    [
      JSON.Member(
        name: "id",
        value: [
          "name": "id", "in": "path", "required": true,
          "description": "The session, as opening it answered. It is a handle and no key: only its owner can use it.",
          "schema": ["type": "string", "pattern": .string(OpenAPIMessages.idPattern)],
        ]),
      JSON.Member(
        name: "name",
        value: [
          "name": "name", "in": "path", "required": true, "description": "The last part of the problem's `type`.",
          "schema": JSONSchema.string(oneOf: Problem.Kind.allCases.map(\.rawValue)).json,
        ]),
      JSON.Member(
        name: "file",
        value: [
          "name": "file", "in": "path", "required": true,
          "description": "The file's key, of 1 to 100 bytes in UTF-8. The client chooses it; `.` and `..` are none.",
          "schema": [
            "type": "string", "maxLength": 100,
            // Without slashes, control characters, and those that turn the direction of a text (UAX #9).
            "pattern": .string(
              #"^(?!\.{1,2}$)[^/\\\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]+$"#),
          ],
        ]),
      JSON.Member(
        name: "offer",
        value: [
          "name": "name", "in": "path", "required": true,
          "description": "The last part of the file's address, as the session has told it.",
          "schema": ["type": "string", "pattern": "^[0-9a-f]{32}$"],
        ]),
    ]
    + Route.Parameter.allCases.map { JSON.Member(name: $0.key, value: $0.parameter) }

  /// The name of a view model.
  ///
  /// - Parameter names: the names of all view models.
  static func modelName(_ names: [String]) -> JSON.Member {
    JSON.Member(
      name: "modelName",
      value: [
        "name": "name", "in": "path", "required": true, "description": "The view model, as `/models` has it.",
        "schema": names.isEmpty ? JSONSchema.string.json : JSONSchema.string(oneOf: names).json,
      ])
  }

  static let fields: [JSON.Member] = AnswerField.allCases.map { JSON.Member(name: $0.key, value: $0.header) }

  static func reference(_ name: String) -> JSON { ["$ref": .string("#/components/parameters/\(name)")] }

  /// The key of a row.
  static func key(_ name: String) -> JSON {
    [
      "name": .string(name), "in": "path", "required": true,
      "description": "The row's key, as in the list's `order`; a `~` in it is written `~0` and a `/` is written `~1`.",
      // A target cannot have others (RequestTarget).
      "schema": ["type": "string", "pattern": "^[^\\u0000-\\u001F\\u007F]*$"],
    ]
  }
}

extension Route.Parameter {
  /// Its name among the components.
  var key: String {
    switch self {
    case .since: "since"
    case .wait: "wait"
    case .preference: "preference"
    case .ifMatch: "ifMatch"
    case .ifNoneMatch: "ifNoneMatch"
    case .key: "idempotencyKey"
    case .lastEventID: "lastEventID"
    case .ofModel: "ofModel"
    case .ofUser: "ofUser"
    case .ofClient: "ofClient"
    case .all: "all"
    case .olderThan: "olderThan"
    case .after: "after"
    case .limit: "limit"
    case .uploadComplete: "uploadComplete"
    case .uploadLength: "uploadLength"
    case .partOffset: "partOffset"
    case .partComplete: "partComplete"
    }
  }

  var parameter: JSON {
    let version: JSON = ["$ref": "#/components/schemas/Version"]
    return switch self {
    case .since:
      [
        "name": "since", "in": "query",
        "description": "The version that the client has: the answer's frame starts there.", "schema": version,
      ]
    case .preference:
      [
        "name": "Prefer", "in": "header",
        "description": """
        `return=minimal`: leave out what has changed, as a client does that follows the session anyway (RFC 7240). Where \
        commands are started, `wait=N`: wait for N seconds at most until they are over; more than 55 are taken as 55. And \
        `handling=strict`: answer `424` if one of them has not succeeded by then. What is granted comes back in \
        `Preference-Applied`. What is not understood is ignored.
        """,
        "schema": ["type": "string"], "example": "return=minimal",
      ]
    case .wait:
      [
        "name": "Prefer", "in": "header",
        "description": """
        `wait=N`: wait for N seconds at most (RFC 7240); more than 55 are taken as 55, and the value used comes back in \
        `Preference-Applied`. What is not understood is ignored.
        """,
        "schema": ["type": "string"], "example": "wait=1",
      ]
    case .ifMatch:
      [
        "name": "If-Match", "in": "header",
        "description": """
        Do it only if the state is of this version, in quotes; else `412` (RFC 9110 §13.1.1). Where one value is set: only if \
        that value has not changed since.
        """,
        "schema": ["type": "string"],
      ]
    case .lastEventID:
      [
        "name": "Last-Event-ID", "in": "header",
        "description": """
        The version of the last event that a client of a stream has; it is stronger than `since`. A browser sends it by \
        itself. What is no version is ignored.
        """,
        "schema": ["type": "string"],
      ]
    case .key:
      [
        "name": "Idempotency-Key", "in": "header",
        "description": """
        A text of the client's own by which the same request is known when it comes again: it takes effect once, and is \
        answered the same. One that ends with a slash and digits is of the form `name/n`, with n from 1 upwards: then the \
        server also sees to the order.
        """,
        "schema": ["type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"],
      ]
    case .ifNoneMatch:
      [
        "name": "If-None-Match", "in": "header",
        "description": """
        Read only if what is there is not of this version, in quotes; else `304`, or for a change `412` (RFC 9110 §13.1.2).
        """,
        "schema": ["type": "string"],
      ]
    case .ofModel: Self.query("model", "Sessions on this view model.", ["type": "string", "minLength": 1])
    case .ofUser: Self.query("user", "Sessions of this user, by its id.", ["type": "string", "minLength": 1])
    case .ofClient:
      Self.query("client", "Sessions of this client, as sessions have it.", ["type": "string", "minLength": 1])
    case .all: Self.query("all", "All sessions, if it is there.", ["type": "string", "enum": ["true"]])
    case .olderThan:
      Self.query(
        "olderThan", "Sessions that nobody has used for so many seconds.", ["type": "integer", "minimum": 0])
    case .after:
      Self.query("after", "The `next` of the page before.", ["type": "string", "minLength": 1])
    case .uploadComplete, .partComplete:
      upload(
        "Upload-Complete", "`?1` if the file ends with the body, `?0` if more follows.",
        ["type": "string", "enum": ["?0", "?1"]])
    case .uploadLength: upload("Upload-Length", "The bytes of the whole file.", Self.bytes)
    case .partOffset: upload("Upload-Offset", "The place in the file at which the body begins.", Self.bytes)
    case .limit:
      Self.query("limit", "The most sessions of the page.", ["type": "integer", "minimum": 1, "maximum": 1_000])
    }
  }

  /// A number of bytes: an integer of structured fields (RFC 9651 §3.3.1).
  private static let bytes: JSON = ["type": "integer", "minimum": 0, "maximum": 999_999_999_999_999]

  private func upload(_ name: String, _ description: String, _ schema: JSON) -> JSON {
    let isRequired = self == .partOffset || self == .partComplete
    return [
      "name": .string(name), "in": "header", "required": .bool(isRequired), "description": .string(description),
      "schema": schema,
    ]
  }

  private static func query(_ name: String, _ description: String, _ schema: JSON) -> JSON {
    ["name": .string(name), "in": "query", "description": .string(description), "schema": schema]
  }
}

extension AnswerField {
  /// Its name among the components.
  var key: String { self == .etagUnlessStream ? "ETag-unless-stream" : "\(name)" }

  /// Whether a response that may have it always has it.
  private var isCertain: Bool { self == .etag || self == .location || self == .wwwAuthenticate }

  private var description: String {
    switch self {
    case .etag: "The version, in quotes."
    case .etagUnlessStream: "The version, in quotes; a stream has none."
    case .location: "Where the session is."
    case .setCookie: "The client's key, if it is new."
    case .preferenceApplied: "What was granted: `wait=N`, `return=minimal`, `handling=strict`."
    case .retryAfter: "After how many seconds to try again."
    case .wwwAuthenticate: "How a client makes itself known."
    case .uploadOffset: "The bytes of the file that are here."
    case .uploadComplete: "`?1` if the file is here as a whole."
    case .uploadLength: "The bytes of the whole file, if they are known."
    case .uploadLimit: "The most bytes, and the seconds for which the file is kept that nobody takes."
    }
  }

  var header: JSON {
    [
      "description": .string(description), "required": .bool(isCertain),
      "schema": self == .retryAfter ? ["type": "integer", "minimum": 0] : ["type": "string"],
    ]
  }

  var reference: JSON.Member { JSON.Member(name: "\(name)", value: ["$ref": .string("#/components/headers/\(key)")]) }
}
