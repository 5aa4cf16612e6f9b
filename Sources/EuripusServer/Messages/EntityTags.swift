// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// The entity tags of an `If-Match` or `If-None-Match` field (RFC 9110 §8.8.3, §13.1).
struct EntityTags: Equatable {
  private let isAny: Bool
  private let strong: [Substring]
  private let weak: [Substring]

  /// - Returns: `nil` if the field is absent.
  init?(_ field: String?) {
    guard let field else { return nil }
    var strong: [Substring] = []
    var weak: [Substring] = []
    var rest = field[...]
    // Tags are quoted and may contain commas. So they are read one by one and not split.
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

  /// Whether one of the tags equals `tag` by the weak comparison, for `If-None-Match`. `tag` has no quotation
  /// marks.
  func contains(_ tag: String) -> Bool { isAny || strong.contains { $0 == tag } || weak.contains { $0 == tag } }

  /// Whether one of the tags is of a version, in any content coding, for `If-None-Match` in a session.
  func contains(_ version: Version) -> Bool {
    isAny || (strong + weak).contains { Version(ofTag: $0) == version }
  }

  /// Whether one of the tags equals `tag` by the strong comparison, for `If-Match` of a resource without
  /// versions.
  func containsStrong(_ tag: String) -> Bool { isAny || strong.contains { $0 == tag } }

  /// The tags for `If-Match`, by the strong comparison. A tag that is not a version matches nothing.
  var strongTags: Precondition.Tags { isAny ? .any : .versions(strong.compactMap { Version(ofTag: $0) }) }

  /// The tags for the `If-None-Match` of a change, by the weak comparison.
  var allTags: Precondition.Tags { isAny ? .any : .versions((strong + weak).compactMap { Version(ofTag: $0) }) }

  /// The version that the reader has, if there is just one tag.
  var version: Version? { strong.count + weak.count == 1 ? (strong + weak).first.flatMap { Version(ofTag: $0) } : nil }
}

extension Version {
  /// The version of a tag, which is the same in any content coding.
  init?(ofTag tag: Substring) {
    self.init(tag.hasSuffix(HTTPResponse.gzipSuffix) ? tag.dropLast(HTTPResponse.gzipSuffix.count) : tag)
  }
}
