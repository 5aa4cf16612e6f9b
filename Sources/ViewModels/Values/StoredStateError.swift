// SPDX-License-Identifier: MIT
import JSONPatching

/// The reason why a stored state cannot be put back.
public enum StoredStateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A later version of the program has written it. This version knows schemas up to `known`.
  case newer(found: UInt32, known: UInt32)
  /// The stored state does not fit the surface. The text has the place, the expectation and the finding, and no
  /// value of the state.
  case unreadable(String)

  static func unreadable(at path: [String], _ reason: String) -> StoredStateError {
    .unreadable("the stored state at '\(JSONPointer(path))': \(reason)")
  }

  public var description: String {
    switch self {
    case .newer(let found, let known):
      "the stored state has schema \(found), and this program knows schemas up to \(known): a later version wrote it"
    case .unreadable(let what): what
    }
  }
}
