// SPDX-License-Identifier: MIT

/// The session that a view model is made for, as far as one may know that wraps view models.
public struct SessionOrigin: Sendable, ExpressibleByStringLiteral {
  /// The id in the session's URL.
  public let id: String
  /// A text that is the same for all sessions of one client, and no secret; empty where there is no client.
  public let client: String

  public init(id: String, client: String) { (self.id, self.client) = (id, client) }

  /// A session without a client.
  public init(stringLiteral id: String) { self.init(id: id, client: "") }
}
