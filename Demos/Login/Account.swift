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
  /// The last day of a login or of a change, in days since 1970. An account of an earlier version has none.
  var usedOn = 0
  /// The clients that have logged in last. The wrong passwords of others do not keep them out.
  var clients: [String] = []

  /// The most clients that are remembered.
  private static let mostClients = 4

  /// Whether a client has logged in as this user before.
  func knows(_ client: String) -> Bool { !client.isEmpty && clients.contains(client) }

  /// Notes a login.
  mutating func use(by client: String, on day: Int) {
    usedOn = day
    if !client.isEmpty { clients = Array(([client] + clients.filter { $0 != client }).prefix(Self.mostClients)) }
  }

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
    usedOn = try json["usedOn"].map { json throws(JSONMismatch) in try Int(json: json) } ?? 0
    clients = try json["clients"].map { json throws(JSONMismatch) in try [String](json: json) } ?? []
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for (key, value) in [("id", id), ("name", name), ("since", since), ("hash", hash), ("note", note)] {
      writer.key(key)
      writer.string(value)
    }
    writer.key("usedOn")
    writer.integer(Int64(usedOn))
    writer.key("clients")
    clients.write(to: &writer)
    writer.endObject()
  }
}
