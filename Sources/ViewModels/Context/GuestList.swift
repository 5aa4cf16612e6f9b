// SPDX-License-Identifier: MIT
package import JSONPatching

/// A client that has come into a room by an invitation.
public struct RoomGuest: Sendable, Equatable {
  /// The client, as ``ActionOrigin/client`` names it.
  public let client: String
  /// The role that it has in this room; `nil` for none.
  public let role: String?
  /// The time at which it came.
  public let since: WallTime
  /// Whether the place is that of one user.
  package let hasUser: Bool
}

/// The invitations into a room that nobody has used yet, and the clients that have used one.
package struct GuestList: Sendable, Equatable {
  /// An invitation, by the hash of its text.
  struct Invitation: Equatable {
    let hash: String
    let role: String?
    /// The time from which it does not count any more, in milliseconds since 1970.
    let end: Int64
  }

  /// A client that came, and the user that it had.
  struct Entry: Equatable {
    let guest: RoomGuest
    let user: String?
    /// The hash of its invitation: whoever has used an invitation may say so again.
    let hash: String
  }

  /// The most invitations that wait, and the most guests.
  static let most = 200
  /// The most characters of a role.
  static let longestRole = 64

  private(set) var invitations: [Invitation] = []
  private(set) var entries: [String: Entry] = [:]

  package init() {}

  package var isEmpty: Bool { invitations.isEmpty && entries.isEmpty }

  /// The guests, the one first that came first.
  package var guests: [RoomGuest] {
    entries.values.map(\.guest).sorted { ($0.since, $0.client) < ($1.since, $1.client) }
  }

  /// The entry of a client that may enter. A guest who has signed in has come as that user: another one at the same browser
  /// was not invited.
  package func guest(_ client: String, user: String?) -> RoomGuest? {
    guard let entry = entries[client], entry.user == nil || entry.user == user else { return nil }
    return entry.guest
  }

  /// Whether a client may use an invitation.
  package func takes(_ hash: String, from client: String, user: String?, at now: Int64) -> Bool {
    if entries[client]?.hash == hash { return guest(client, user: user) != nil }
    return invitations.contains { $0.hash == hash && $0.end > now }
  }

  /// Adds an invitation. Those that do not count any more go.
  ///
  /// - Returns: whether there is room for it.
  mutating func add(_ invitation: Invitation, at now: Int64) -> Bool {
    invitations.removeAll { $0.end <= now }
    if invitations.count >= Self.most { return false }
    invitations.append(invitation)
    return true
  }

  /// Uses an invitation up.
  ///
  /// - Returns: whether the client is a guest now.
  mutating func accept(_ hash: String, by client: String, user: String?, at now: Int64) -> Bool {
    guard takes(hash, from: client, user: user, at: now) else { return false }
    guard let index = invitations.firstIndex(where: { $0.hash == hash }) else { return true }
    if entries[client] == nil, entries.count >= Self.most { return false }
    let guest = RoomGuest(
      client: client, role: invitations[index].role, since: WallTime(milliseconds: now), hasUser: user != nil)
    entries[client] = Entry(guest: guest, user: user, hash: hash)
    invitations.remove(at: index)
    return true
  }

  /// Makes the place of a guest that of a user who has signed in since.
  mutating func bind(_ client: String, to user: String) {
    guard let entry = entries[client], entry.user == nil else { return }
    let guest = RoomGuest(client: client, role: entry.guest.role, since: entry.guest.since, hasUser: true)
    entries[client] = Entry(guest: guest, user: user, hash: entry.hash)
  }

  mutating func dismiss(_ client: String) { entries[client] = nil }

  mutating func withdrawInvitations() { invitations = [] }
}

/// The form in which the store has it.
extension GuestList {
  package var json: JSON {
    let invitations = invitations.map { JSON.array([.string($0.hash), Self.json($0.role), .integer($0.end)]) }
    let entries = entries.values.map { entry in
      JSON.array([
        .string(entry.guest.client), Self.json(entry.guest.role), .integer(entry.guest.since.milliseconds),
        Self.json(entry.user), .string(entry.hash),
      ])
    }
    return ["invitations": .array(invitations), "guests": .array(entries)]
  }

  /// Reads the form of ``json``. Parts of another form are left out.
  package init(stored json: JSON) {
    self.init()
    if case .array(let rows)? = json["invitations"] {
      for case .array(let row) in rows where row.count == 3 {
        guard case (.string(let hash), .integer(let end)) = (row[0], row[2]) else { continue }
        invitations.append(Invitation(hash: hash, role: Self.text(row[1]), end: end))
      }
    }
    guard case .array(let rows)? = json["guests"] else { return }
    for case .array(let row) in rows where row.count == 5 {
      guard case (.string(let client), .integer(let since), .string(let hash)) = (row[0], row[2], row[4]) else {
        continue
      }
      let (role, user) = (Self.text(row[1]), Self.text(row[3]))
      let guest = RoomGuest(
        client: client, role: role, since: WallTime(milliseconds: since), hasUser: user != nil)
      entries[client] = Entry(guest: guest, user: user, hash: hash)
    }
  }

  private static func json(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }
  private static func text(_ json: JSON) -> String? { if case .string(let text) = json { text } else { nil } }
}
