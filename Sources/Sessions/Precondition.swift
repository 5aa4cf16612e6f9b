// SPDX-License-Identifier: MIT

/// The versions on which a request is to be done: its `If-Match` and its `If-None-Match` (RFC 9110 §13.1.1, §13.1.2).
public struct Precondition: Sendable, Equatable {
  /// The meaning of one of the two fields.
  public enum Tags: Sendable, Equatable {
    /// `*`: any version there is.
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
  ///   - match: the version has to be one of these; `nil` for any.
  ///   - noneMatch: the version has to be none of these.
  public init(match: Tags?, noneMatch: Tags?) {
    self.match = match
    self.noneMatch = noneMatch
  }

  public static let any = Precondition(match: .any, noneMatch: nil)
  public static func versions(_ versions: [Version]) -> Precondition {
    Precondition(match: .versions(versions), noneMatch: nil)
  }

  func isMet(by version: Version) -> Bool {
    match?.contain(version) ?? true && noneMatch?.contain(version) != true
  }
}
