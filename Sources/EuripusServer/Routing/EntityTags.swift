// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// The entity tags of an `If-Match` or `If-None-Match` (RFC 9110 §8.8.3, §13.1).
struct EntityTags: Equatable {
  private let isAny: Bool
  private let strong: [Substring]
  private let weak: [Substring]

  /// - Returns: `nil` where the field is absent.
  init?(_ field: String?) {
    guard let field else { return nil }
    var strong: [Substring] = []
    var weak: [Substring] = []
    var rest = field[...]
    // Tags are quoted and may hold commas, so they are read one by one rather than split.
    while let quote = rest.firstIndex(of: "\"") {
      let isWeak = rest[..<quote].hasSuffix("W/")
      let start = rest.index(after: quote)
      guard let end = rest[start...].firstIndex(of: "\"") else { break }
      if isWeak { weak.append(rest[start..<end]) } else { strong.append(rest[start..<end]) }
      rest = rest[rest.index(after: end)...]
    }
    isAny = field.filter { $0 != " " } == "*"
    self.strong = strong
    self.weak = weak
  }

  /// Whether a tag equals `tag` (without its quotes) by the weak comparison: for `If-None-Match`.
  func contains(_ tag: String) -> Bool { isAny || strong.contains { $0 == tag } || weak.contains { $0 == tag } }

  /// Whether a tag is of a version, whatever the content coding: for `If-None-Match` in a session.
  func contains(_ version: Version) -> Bool {
    isAny || (strong + weak).contains { Version(ofTag: $0) == version }
  }

  /// Whether a tag equals `tag` by the strong comparison: for `If-Match` of a resource without versions.
  func containsStrong(_ tag: String) -> Bool { isAny || strong.contains { $0 == tag } }

  /// The tags for `If-Match`, by the strong comparison; a tag that is no version matches none.
  var strongTags: Precondition.Tags { isAny ? .any : .versions(strong.compactMap { Version(ofTag: $0) }) }

  /// The tags for an `If-None-Match` that a change depends on, by the weak comparison.
  var allTags: Precondition.Tags { isAny ? .any : .versions((strong + weak).compactMap { Version(ofTag: $0) }) }

  /// The version that the reader says it has, if the tags say just one.
  var version: Version? { strong.count + weak.count == 1 ? (strong + weak).first.flatMap { Version(ofTag: $0) } : nil }
}

extension Version {
  /// The version that a tag is of, which is the same with a content coding.
  init?(ofTag tag: Substring) {
    self.init(tag.hasSuffix(HTTPResponse.gzipSuffix) ? tag.dropLast(HTTPResponse.gzipSuffix.count) : tag)
  }
}
