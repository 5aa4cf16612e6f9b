// SPDX-License-Identifier: MIT

/// The versions on which a request may act: its `If-Match` and its `If-None-Match` (RFC 9110 §13.1.1, §13.1.2).
package struct Precondition: Sendable, Equatable {
  /// The meaning of one of the two fields.
  package enum Tags: Sendable, Equatable {
    /// `*`: any version.
    case any
    case versions([Version])

    func contain(_ version: Version) -> Bool {
      switch self {
      case .any: true
      case .versions(let versions): versions.contains(version)
      }
    }
  }

  private let match: Tags?
  private let noneMatch: Tags?

  /// - Parameters:
  ///   - match: the versions of which the session must have one; `nil` for any version.
  ///   - noneMatch: the versions of which the session must have none; `nil` for none.
  package init(match: Tags?, noneMatch: Tags?) {
    self.match = match
    self.noneMatch = noneMatch
  }

  package static let any = Precondition(match: .any, noneMatch: nil)
  package static func versions(_ versions: [Version]) -> Precondition {
    Precondition(match: .versions(versions), noneMatch: nil)
  }

  func isMet(by version: Version) -> Bool {
    match?.contain(version) ?? true && noneMatch?.contain(version) != true
  }
}
