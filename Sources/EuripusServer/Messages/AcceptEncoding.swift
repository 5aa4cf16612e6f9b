// SPDX-License-Identifier: MIT

/// A content coding that a body may have here (RFC 9110 §8.4.1).
enum ContentCoding: String, CaseIterable {
  case brotli = "br"
  case gzip
}

/// An `Accept-Encoding` field: the content codings that the client takes, and their order of preference (RFC
/// 9110 §12.5.3).
struct AcceptEncoding {
  /// The weights of codings by their names, with `identity` and `*` among them.
  private var weights: [String: Int] = [:]

  /// - Parameter field: the field; `nil` if there is none. A body is then sent without coding, although any
  ///   would be allowed.
  init(_ field: String?) {
    for member in (field ?? "").split(separator: ",").compactMap(WeightedMember.init) {
      weights[member.name == "x-gzip" ? "gzip" : member.name] = member.weight
    }
  }

  /// The most preferred of the codings, or the first of several; `nil` for a body without coding. Such a body
  /// is also sent if nothing is acceptable.
  func best(of codings: [ContentCoding]) -> ContentCoding? {
    // A body without coding is acceptable even if the field does not name it. It is then less preferred than a
    // named coding.
    let plain = weights["identity"] ?? weights["*"] ?? 0
    var best: (coding: ContentCoding, weight: Int)?
    for coding in codings {
      let weight = weights[coding.rawValue] ?? weights["*"] ?? 0
      if weight > 0, weight >= plain, weight > best?.weight ?? 0 { best = (coding, weight) }
    }
    return best?.coding
  }
}
