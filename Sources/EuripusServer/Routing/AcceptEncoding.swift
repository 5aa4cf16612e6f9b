// SPDX-License-Identifier: MIT

/// A content coding (RFC 9110 §8.4.1) that a body may have here.
enum ContentCoding: String, CaseIterable {
  case brotli = "br"
  case gzip
}

/// An `Accept-Encoding` field (RFC 9110 §12.5.3): which content codings the client takes, and which it likes better.
struct AcceptEncoding {
  /// The weights of codings by their names, `identity` and `*` included.
  private var weights: [String: Int] = [:]

  /// - Parameter field: `nil` where there is none: then a body is sent as it is, though any coding would be allowed.
  init(_ field: String?) {
    for member in (field ?? "").split(separator: ",").compactMap(WeightedMember.init) {
      weights[member.name == "x-gzip" ? "gzip" : member.name] = member.weight
    }
  }

  /// The one that is liked best, and of several the first; `nil` for a body without coding. The plain body is also sent
  /// where nothing is acceptable.
  func best(of codings: [ContentCoding]) -> ContentCoding? {
    // Where it is not named a body without coding is acceptable, and liked less than a coding that is named.
    let plain = weights["identity"] ?? weights["*"] ?? 0
    var best: (coding: ContentCoding, weight: Int)?
    for coding in codings {
      let weight = weights[coding.rawValue] ?? weights["*"] ?? 0
      if weight > 0, weight >= plain, weight > best?.weight ?? 0 { best = (coding, weight) }
    }
    return best?.coding
  }
}
