// SPDX-License-Identifier: MIT
public import JSONPatching

/// A file that a session offers to its clients (``SessionContext/offer(_:named:isOnce:)``).
///
/// It is a value, which a state may have: `{"url": "/sessions/report/…", "name": "May.csv", "size": 1834}`.
public struct FileOffer: Sendable, Hashable, Codable, JSONRepresentable {
  /// The file's address, a path of this server. It is of use to the clients of the session alone.
  public let url: String
  /// The name under which a client keeps it.
  public let name: String
  /// Its bytes.
  public let size: Int
}
