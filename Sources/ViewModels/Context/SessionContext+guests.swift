// SPDX-License-Identifier: MIT
import ObservableCore

/// Inviting others into a room that is hosted with `.orInvited`.
extension SessionContext {
  /// Makes an invitation: a text that lets one client into this room, once. Whoever uses it is a guest from then on, also
  /// where the room's rule would not let them in.
  ///
  /// ```swift
  /// func invite() throws -> String { try context.invite(as: "support") }
  /// ```
  ///
  /// Give it to the person who asked for it alone, as the result of their action: a value of the state is everybody's. A page
  /// makes a link of it, `/form#invitation=…`. What follows the `#` is not sent to servers, so no log has it.
  ///
  /// The room keeps a hash of it, and drops it if the action fails.
  ///
  /// - Parameters:
  ///   - role: a role that the guest has in this room beside their own; `nil` for none. Where the surface names roles, it is
  ///     one of them, unless some entry is for users by a condition of the app's own. A guest who has not signed in has it
  ///     as well, and is no user by that.
  ///   - time: the time for which it counts.
  /// - Returns: 43 letters, digits, hyphens and underscores.
  /// - Throws: ``InvitingNotPossible``; ``TooManyInvited``; the error of an observer.
  public func invite(as role: String? = nil, for time: Duration = .seconds(86_400)) throws -> String {
    guard let guestList, let made = inviting?() else {
      throw InvitingNotPossible(
        reason: "this is no room that takes guests",
        expected: "a view model that is hosted with 'scope: .room { … }.orInvited'")
    }
    var list = guestList.value
    let now = clock().time
    if let role { try check(role) }
    if list.guests.count >= GuestList.most {
      throw TooManyInvited(things: .guests, limit: GuestList.most)
    }
    guard list.add(.init(hash: made.hash, role: role, end: (now + time).milliseconds), at: now.milliseconds) else {
      throw TooManyInvited(things: .invitations, limit: GuestList.most)
    }
    try change(to: list)
    return made.text
  }

  /// Looks whether there is anything in the room for a role.
  private func check(_ role: String) throws {
    if role.count > GuestList.longestRole {
      throw InvitingNotPossible(
        reason: "the role '\(role.prefix(9))…' is too long", expected: "at most \(GuestList.longestRole) characters")
    }
    // A condition of the app's own may ask for any role.
    let named = audiences.compactMap(\.namedRoles)
    let roles = named.reduce(into: Set()) { $0.formUnion($1) }
    if roles.isEmpty || named.count < audiences.count || roles.contains(role) { return }
    throw InvitingNotPossible(
      reason: "nothing here is for the role '\(role)'", expected: "one of: \(roles.sorted().joined(separator: ", "))")
  }

  /// Ends a guest's right to be here. The guest's page is told within a second.
  ///
  /// It does not keep out whoever the room's rule lets in.
  ///
  /// - Parameter client: the guest, as ``RoomGuest/client`` and ``ActionOrigin/client`` name it; one that is no guest is
  ///   passed over.
  /// - Throws: the error of an observer.
  public func dismiss(_ client: String) throws {
    guard var list = guestList?.value else { return }
    list.dismiss(client)
    try change(to: list)
  }

  /// Withdraws all invitations that nobody has used.
  ///
  /// - Throws: the error of an observer.
  public func withdrawInvitations() throws {
    guard var list = guestList?.value else { return }
    list.withdrawInvitations()
    try change(to: list)
  }

  /// Lets a client in by an invitation.
  ///
  /// - Returns: whether it is a guest now.
  /// - Throws: the error of an observer.
  package func accept(_ hash: String, by client: String, user: String?) throws -> Bool {
    guard var list = guestList?.value, list.accept(hash, by: client, user: user, at: clock().time.milliseconds) else {
      return false
    }
    try transaction(.undo) { try change(to: list) }
    return true
  }

  /// Makes the place of a guest that of a user who has signed in since.
  ///
  /// - Throws: the error of an observer.
  package func bind(_ client: String, to user: String) throws {
    guard var list = guestList?.value else { return }
    list.bind(client, to: user)
    try transaction(.undo) { try change(to: list) }
  }

  private func change(to list: GuestList) throws {
    guard let guestList, list != guestList.value else { return }
    try guestList.set(list)
    didChangeGuests()
  }
}

/// An invitation that could not be made.
public struct InvitingNotPossible: Error, CustomStringConvertible {
  let reason: String
  let expected: String

  public var description: String { "nobody can be invited: \(reason); expected \(expected)" }
}
