// SPDX-License-Identifier: MIT

/// A session as its client, or its user, may know of it.
public struct OwnSession: Sendable, Equatable {
  public let id: String
  public let model: String
  /// Seconds since somebody last used it.
  public let age: Int64
  /// Whether the client that asks can use it: not one of another client of its user's.
  public let isReachable: Bool
}
