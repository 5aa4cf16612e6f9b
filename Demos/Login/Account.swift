// SPDX-License-Identifier: MIT
import Euripus

/// A user of the login demo, as the users' file has it.
struct Account: Sendable, Equatable {
  /// The user's id, never another's, even if the file is lost and somebody else takes the name.
  let id: String
  let name: String
  /// The day of the first login, in UTC: `2026-11-23`.
  let since: String
  let hash: String
  var note = ""

  /// The user as sessions know it.
  var user: User { User(id: id, name: name, claims: ["since": .string(since)]) }
}

extension User {
  /// The day of the first login, in UTC.
  var since: String { if case .string(let day)? = claims["since"] { day } else { "" } }
}

extension Account: JSONRepresentable {
  static var jsonTypeName: String { "account" }

  init(json: JSON) throws(JSONMismatch) {
    id = try String(json: json["id"] ?? .null)
    name = try String(json: json["name"] ?? .null)
    since = try String(json: json["since"] ?? .null)
    hash = try String(json: json["hash"] ?? .null)
    note = try String(json: json["note"] ?? .null)
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (key, value) in [("id", id), ("name", name), ("since", since), ("hash", hash), ("note", note)] {
      writer.key(key)
      writer.string(value)
    }
    writer.endObject()
  }
}
