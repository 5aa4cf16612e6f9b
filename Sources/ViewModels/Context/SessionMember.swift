// SPDX-License-Identifier: MIT
package import JSONPatching

/// A client that follows a session: its poll or its stream waits for the next change.
public struct SessionMember: Sendable, Equatable {
  /// A text that is the same as long as the client lives, and another one for each client; that of
  /// ``ActionOrigin/client``.
  public let client: String
  /// The client's user; `nil` while nobody has signed in there.
  public let user: User?
  /// The time at which it came.
  public let since: WallTime

  public init(client: String, user: User?, since: WallTime) {
    (self.client, self.user, self.since) = (client, user, since)
  }
}

extension SessionMember {
  /// The member as the store has it.
  package var json: JSON {
    .object([
      .init(name: "client", value: .string(client)), .init(name: "user", value: user?.json ?? .null),
      .init(name: "since", value: .integer(since.milliseconds)),
    ])
  }

  /// Reads the form of ``json``; `nil` for anything else.
  package init?(stored json: JSON) {
    guard case .string(let client)? = json["client"], case .integer(let since)? = json["since"] else { return nil }
    self.init(
      client: client, user: json["user"].flatMap { User(stored: $0) }, since: WallTime(milliseconds: since))
  }
}
