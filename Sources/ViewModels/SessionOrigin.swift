// SPDX-License-Identifier: MIT
public import JSONPatching

/// The session that a view model is made for, as far as one may know that wraps view models.
public struct SessionOrigin: Sendable, ExpressibleByStringLiteral {
  /// The id in the session's URL.
  public let id: String
  /// A text that is the same for all sessions of one client, or of one user where the session is a user's own, and no secret;
  /// empty where there is no client.
  public let client: String

  /// The address that the view model is to be at from the beginning, as the client gave it; `nil` for none in particular.
  public let address: JSON?
  /// Whether it is its user's, whatever client that comes with (``SessionScope/user``).
  public let isOfUser: Bool
  /// The facts that are known of its user.
  public let visitor: Visitor
  /// The timers that were stored with it; `nil` if none ever were.
  package var timers: Timers?
  /// The clock that its timers go by.
  package var clock: @Sendable () -> WallTime = { .now }

  public init(
    id: String, client: String, address: JSON? = nil, isOfUser: Bool = false, visitor: Visitor = Visitor()
  ) {
    self.isOfUser = isOfUser
    (self.id, self.client, self.address, self.visitor) = (id, client, address, visitor)
  }

  /// A session without a client.
  public init(stringLiteral id: String) { self.init(id: id, client: "") }
}
