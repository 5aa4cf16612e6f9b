// SPDX-License-Identifier: MIT
import EuripusServer
import JSONPatching
import ViewModels

/// The parts of the description that are for operators alone.
enum OpenAPIAdministration {
  static let introduction = """
    Seeing and ending the sessions of a server, on its own machine. Nothing here can be used in a session's place: no \
    credential, no key and no secret is told.
    """

  static func place(in shelf: inout SchemaShelf) {
    let session = shelf.place(session, named: "Session")
    let next = JSONSchema.any(of: [.string, .null]).described("The `after` of the next page; `null` if there is none.")
    _ = shelf.place(.object([("sessions", .array(of: session)), ("next", next)]), named: "Sessions")
    let snapshot = JSONSchema(["type": ["object", "null"]]).described(
      "The answer that the session's client would get to a GET; `null` for a session that is in the store alone.")
    let values = JSONSchema(["type": ["object", "null"]]).described(
      "The values that a session is stored as which is in the store alone; `null` for one in memory.")
    _ = shelf.place(
      .object([
        ("session", session), ("followers", .array(of: follower)), ("guests", .array(of: guest)),
        ("snapshot", snapshot), ("values", values),
      ]), named: "SessionLook")
    _ = shelf.place(.object([("ended", count.described("How many sessions have ended."))]), named: "Ended")
  }

  private static let count = JSONSchema(["type": "integer", "minimum": 0])

  /// A client that follows a session.
  private static let follower = JSONSchema.object([
    ("client", JSONSchema.string.described("The client, as view models know it.")),
    ("user", JSONSchema.any(of: [.string, .null]).described("The id of its user; `null` for nobody.")),
    ("readers", count.described("The number of its polls and streams.")),
  ])

  /// A client that has come into a room by an invitation.
  private static let guest = JSONSchema.object([
    ("client", JSONSchema.string.described("The client, as view models know it.")),
    ("role", JSONSchema.any(of: [.string, .null]).described("The role of its invitation; `null` for none.")),
  ])

  private static let session = JSONSchema.object([
    ("id", JSONSchema(["type": "string", "pattern": .string(OpenAPIMessages.idPattern)])), ("model", .string),
    (
      "user",
      JSONSchema.any(of: [.string, .null]).described(
        "The id of the user who has signed in; `null` for nobody.")
    ),
    (
      "client",
      JSONSchema.string.described(
        "The client whose it is, as view models know it; or its user, where it is a user's own.")
    ),
    ("params", JSONSchema.any.described("The parameters that it was opened with; `null` for none.")),
    ("age", count.described("Seconds since somebody last used it.")),
    ("bytes", count.described("The memory that it is counted with, or its room in the store.")),
    ("readers", count.described("Polls and streams that wait in it.")),
    ("stored", JSONSchema(["type": "boolean"]).described("Whether it is in the store alone.")),
  ])
}
