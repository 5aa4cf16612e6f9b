// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// The conditions of a change, and the version that its frame starts at (PROTOCOL §3).
struct Conditions: Sendable {
  let since: Version?
  /// The condition on the version of the whole state; `nil` for a change that may be made on any version.
  let ifMatch: Precondition?
  /// The condition on the value that the request sets; `nil` for none.
  let ofValue: Precondition.Tags?

  /// - Parameter isOfValue: whether the request sets one value, and `If-Match` is about that value alone.
  /// - Throws: `bad-version` for a `since` that is not a version.
  init(_ request: HTTPRequest, _ target: RequestTarget, isOfValue: Bool = false) throws {
    let match = EntityTags(request.list("If-Match"))
    since = try Self.since(target)
    ifMatch = Precondition(
      ifMatch: isOfValue ? nil : match, ifNoneMatch: EntityTags(request.list("If-None-Match")))
    ofValue = isOfValue ? match?.strongTags : nil
  }

  static func since(_ target: RequestTarget) throws -> Version? {
    let texts = target.parameters("since")
    guard let text = texts.first else { return nil }
    guard texts.count == 1, let version = Version(ofTag: text[...]) else {
      throw Problem(.badVersion, "expected one 'since' of the form epoch.revision, such as k7q2mzx4.12")
    }
    return version
  }

  /// The conditions of a reader. If the reader has a version already, it gets a 304, which is not a failure. So
  /// only `If-Match` has to be met.
  static func ofReader(_ request: HTTPRequest) -> (ifMatch: Precondition?, known: EntityTags?) {
    (
      Precondition(ifMatch: EntityTags(request.list("If-Match")), ifNoneMatch: nil),
      EntityTags(request.list("If-None-Match"))
    )
  }

  /// Refuses a request with `If-Match` that creates something, since nothing is there that could match.
  static func checkNothingIsMatched(_ request: HTTPRequest) throws(Problem) {
    guard let field = request.list("If-Match") else { return }
    throw Problem(.versionMoved, "there is no state yet that could match 'If-Match: \(field)'")
  }
}

extension Precondition {
  fileprivate init?(ifMatch: EntityTags?, ifNoneMatch: EntityTags?) {
    if ifMatch == nil, ifNoneMatch == nil { return nil }
    self.init(match: ifMatch?.strongTags, noneMatch: ifNoneMatch?.allTags)
  }
}
