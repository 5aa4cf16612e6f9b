// SPDX-License-Identifier: MIT

/// A session, as far as its client or its user may know of it.
public struct OwnSession: Sendable, Equatable {
  public let id: String
  public let model: String
  /// Seconds since the last use.
  public let age: Int64
  /// Whether the client that asks can use the session. It cannot use one of another client of its user.
  public let isReachable: Bool
}
