// SPDX-License-Identifier: MIT
import JSONPatching

extension Problem.Kind {
  /// The meaning of problems with the form of a request.
  var meaningOfForm: Problem.Meaning {
    switch self {
    case .malformedJSON:
      .init(
        """
        The body is not one JSON text. JSON is read strictly: UTF-8 without a byte order mark, no comments, no trailing \
        commas, no name twice in one object, at most 32 levels and 4,096 values.
        """,
        remedy:
          "Look at the byte that `offset` names, counted from 0. A JSON library's writer makes none of these mistakes.",
        detail: "at byte 3: expected a JSON value, found ']'", members: [("offset", 3)])
    case .badRequest:
      .init(
        """
        The request cannot be understood: its target, its `Host` or one of its fields has a form that HTTP does not allow, \
        or two fields say different things.
        """,
        remedy:
          "The detail says which part, and what was expected. Common clients never send such a request by themselves.",
        detail: "expected one Host field, got 2")
    case .badVersion:
      .init(
        "`since` is not of the form that versions have, so the server cannot know what the client has seen.",
        remedy: """
          Send a version just as the server gave it, in `version`, in `to` or in an `ETag` (there in quotes, which are no \
          part of it). Without `since` the answer is the whole state.
          """,
        detail: "expected one 'since' of the form epoch.revision, such as k7q2mzx4.12")
    case .targetTooLong:
      .init(
        "The target of the request, its path and query, is longer than the server allows.",
        remedy: "Send what is long in the body.", detail: "a target may have 4096 bytes at most")
    case .headersTooLarge:
      .init(
        "The fields of the request are too many or too long.",
        remedy: "Send fewer cookies and fields. If a proxy adds them, see what it adds.",
        detail: "the fields may have 6144 bytes and be 64 at most")
    case .bodyTooLarge:
      .init(
        "The body is longer than the server allows.",
        remedy: "Send less at once. An operator can allow more.", detail: "a body may have 65536 bytes at most")
    case .notJSON:
      .init(
        """
        A body must say that it is `application/json`. This is also what keeps forms of other sites out: a browser cannot \
        send this type from a form.
        """,
        remedy: "Send `Content-Type: application/json`; with curl: `--json`.",
        detail: "expected the media type application/json, got 'text/plain' (with curl: --json)")
    case .expectationFailed:
      .init(
        "The request's `Expect` asks for something that the server does not know; it knows `100-continue`, before a body.",
        remedy: "Leave `Expect` out.", detail: "expected '100-continue', got 'tea'")
    case .rangeNotSatisfiable:
      .init(
        "The request's `Range` begins behind the end of the file, or names no byte of it.",
        remedy: "Ask for a part of as many bytes as `Content-Range` says there are, or leave `Range` out.",
        detail: "the file has 1200 bytes; 'bytes=1200-' names none of them")
    case .notImplemented:
      .init(
        "The server does not know the method of the request, or the coding that its body was sent with.",
        remedy: "Use GET, HEAD, POST, PUT, DELETE or OPTIONS, and of the transfer codings only `chunked`.",
        detail: "the only transfer coding that this server knows is chunked")
    case .methodNotAllowed:
      .init(
        "There is something at this path, but the method is not one of those that it knows.",
        remedy: "Use one of those that `Allow` names. OPTIONS on any path asks for them.",
        detail: "GET is not allowed here; expected one of: POST, OPTIONS")
    default:
      .init(
        "The resource does not come in any form that the request's `Accept` takes.",
        remedy: "Accept `application/json`, or leave `Accept` out.",
        detail: "changes come as application/json; got 'Accept: image/png'")
    }
  }
}
