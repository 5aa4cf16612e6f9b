// SPDX-License-Identifier: MIT

/// A session, as far as its client or its user may know of it.
package struct OwnSession: Sendable, Equatable {
  package let id: String
  package let model: String
  /// Seconds since the last use.
  package let age: Int64
  /// Whether the client that asks can use the session. It cannot use one of another client of its user.
  package let isReachable: Bool
}
