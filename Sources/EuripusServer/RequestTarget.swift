// SPDX-License-Identifier: MIT

/// A request target taken apart: the path's segments, decoded, and the query, not decoded.
struct RequestTarget: Equatable {
  /// What stands between the slashes, percent-decoded. `/` has one, which is empty.
  let segments: [String]
  private let query: Substring

  /// Takes the origin form `/path?query` and the absolute form `http://host/path?query` (RFC 9112 §3.2), of which the
  /// host is left to the `Host` field.
  ///
  /// - Returns: `nil` for another form, for a `%` without two hexadecimal digits, and for a segment that decodes to
  ///   control characters or to what is not UTF-8.
  init?(_ target: String) {
    var rest = target[...]
    if !rest.hasPrefix("/") {
      guard rest.lowercased().hasPrefix("http://") else { return nil }
      rest = rest.dropFirst("http://".count)
      rest = rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...]
      if rest.isEmpty { rest = "/" }
    }
    let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?"))
    query = mark.map { rest[rest.utf8.index(after: $0)...] } ?? ""
    var segments: [String] = []
    segments.reserveCapacity(6)
    for segment in rest[..<(mark ?? rest.endIndex)].utf8.dropFirst().split(
      separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    {
      guard let decoded = Self.decoded(segment) else { return nil }
      segments.append(decoded)
    }
    self.segments = segments
  }

  /// The values of a query parameter, in order, as sent.
  func parameters(_ name: String) -> [Substring] {
    if query.isEmpty { return [] }
    return query.split(separator: "&").compactMap { pair in
      guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { return nil }
      return pair[pair.index(after: equals)...]
    }
  }

  private static func decoded(_ segment: Substring.UTF8View) -> String? {
    if !segment.contains(where: { $0 == UInt8(ascii: "%") || $0 < 0x20 || $0 >= 0x7F }) {
      return String(Substring(segment))
    }
    var bytes: [UInt8] = []
    var rest = Array(segment)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal)
        else { return nil }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(byte)
      }
    }
    if bytes.contains(where: { $0 < 0x20 || $0 == 0x7F }) { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
