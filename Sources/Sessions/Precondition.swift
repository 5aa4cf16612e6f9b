// SPDX-License-Identifier: MIT

/// An `If-Match` (RFC 9110 §13.1.1): the versions on which a change is to be made.
public enum Precondition: Sendable, Equatable {
  /// `*`: any version there is.
  case any
  case versions([Version])

  func isMet(by version: Version) -> Bool {
    switch self {
    case .any: true
    case .versions(let versions): versions.contains(version)
    }
  }
}
