// SPDX-License-Identifier: MIT
public import JSONPatching

/// The session of a view model, as far as code that wraps view models may know it.
public struct SessionOrigin: Sendable, ExpressibleByStringLiteral {
  /// The id in the session's URL.
  public let id: String
  /// A text that is the same for all sessions of one client, or of one user where the session is the user's
  /// own; in a room it is the room's. It is no secret; it is empty where there is no client.
  public let client: String

  /// The address at which the view model begins, as the client gave it; `nil` if it gave none.
  public let address: JSON?
  /// Its owner (``SessionScope``).
  public let owner: SessionOwner
  /// The known facts of its user.
  public let visitor: Visitor
  /// The timers that were stored with it; `nil` if none ever were.
  package var timers: Timers?
  /// The members that were stored with it.
  package var members: [SessionMember] = []
  /// The invitations and the guests that were stored with it; `nil` where it takes no guests.
  package var guests: GuestList?
  /// The files that it offered when it was stored.
  package var offers = OfferedFiles()
  /// The clocks of its timers.
  package var clock: @Sendable () -> Moment = { .now }
  /// Gives it what rooms show.
  package var rooms: RoomStates = { _, _, _ in AsyncStream { $0.finish() } }

  /// The topics that it may follow.
  package var topics = TopicHub()
  /// Where its files are.
  package var spool: (any FileSpool)?

  public init(
    id: String, client: String, address: JSON? = nil, owner: SessionOwner = .client, visitor: Visitor = Visitor()
  ) {
    self.owner = owner
    (self.id, self.client, self.address, self.visitor) = (id, client, address, visitor)
  }

  /// A session without a client.
  public init(stringLiteral id: String) { self.init(id: id, client: "") }
}

/// Gives what a room shows to a user: one whole state after another, each the newest at the time when it is asked for;
/// `nil` where nothing can be shown. It ends when the user may not enter.
package typealias RoomStates = @Sendable (_ room: String, _ params: JSON, _ user: User?) -> AsyncStream<JSON?>

/// The owner of a session.
public enum SessionOwner: Sendable {
  /// One client.
  case client
  /// A user, with all the user's clients.
  case user
  /// A room, with all clients that may enter it.
  case room
}
