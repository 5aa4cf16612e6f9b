// SPDX-License-Identifier: MIT

/// A request target taken apart: the path's segments, decoded, and the query, as it was sent.
struct RequestTarget {
  /// The host, and its port, of a target of the absolute form.
  let host: String?
  /// The texts between the slashes of the path, percent-decoded. `/` has one, which is empty.
  let segments: [String]
  private let query: ArraySlice<UInt8>

  /// Takes the origin form `/path?query` and the absolute form `http://host/path?query` (RFC 9112 §3.2).
  ///
  /// - Returns: `nil` for another form, for a `%` without two hexadecimal digits, and for a segment that decodes to
  ///   control characters or to what is not UTF-8.
  init?(_ target: [UInt8]) {
    guard let (host, rest) = Self.withoutHost(target) else { return nil }
    self.host = host
    let path = rest.prefix { $0 != UInt8(ascii: "?") }
    query = rest[path.endIndex...].dropFirst()
    // Without a path, the absolute form has no slash.
    let names = path.first == UInt8(ascii: "/") ? path.dropFirst() : path
    var segments: [String] = []
    for name in names.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
      guard let segment = Self.decoded(name) else { return nil }
      segments.append(segment)
    }
    self.segments = segments
  }

  /// - Returns: also `nil` for a text with the character that stands for bytes that are not UTF-8.
  init?(_ target: String) {
    if target.unicodeScalars.contains("\u{FFFD}") { return nil }
    self.init(Array(target.utf8))
  }

  /// The values of a query parameter, in order, as sent; one without `=` has the value `""`.
  func parameters(_ name: String) -> [String] {
    query.split(separator: UInt8(ascii: "&")).compactMap { pair in
      let key = pair.prefix { $0 != UInt8(ascii: "=") }
      return key.elementsEqual(name.utf8)
        ? String(decoding: pair[key.endIndex...].dropFirst(), as: UTF8.self) : nil
    }
  }

  /// The host of the absolute form, and the path with the query.
  private static func withoutHost(_ target: [UInt8]) -> (host: String?, rest: ArraySlice<UInt8>)? {
    if target.first == UInt8(ascii: "/") { return (nil, target[...]) }
    let scheme = "http://"
    guard String(decoding: target.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme else { return nil }
    let rest = target.dropFirst(scheme.utf8.count)
    let host = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    return rest.isEmpty ? nil : (String(decoding: host, as: UTF8.self), rest[host.endIndex...])
  }

  private static func decoded(_ segment: ArraySlice<UInt8>) -> String? {
    // Most have nothing to decode.
    if !segment.contains(UInt8(ascii: "%")) {
      return segment.contains { $0 < 0x20 || $0 == 0x7F } ? nil : String(validating: segment, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(segment.count)
    var rest = segment
    while var byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal)
        else { return nil }
        byte = high << 4 | low
      }
      if byte < 0x20 || byte == 0x7F { return nil }
      bytes.append(byte)
    }
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
