// SPDX-License-Identifier: MIT

/// The parts of a request target: the path's segments, decoded, and the query as it was sent.
struct RequestTarget {
  /// The host and port of a target of the absolute form.
  let host: String?
  /// The texts between the slashes of the path, percent-decoded. The path `/` has one, which is empty.
  let segments: [String]
  /// The path as it was sent, without its first slash.
  private let path: ArraySlice<UInt8>
  let query: ArraySlice<UInt8>

  /// Reads the origin form `/path?query` and the absolute form `http://host/path?query` (RFC 9112 §3.2).
  ///
  /// - Parameter isSecure: whether the request came over TLS. The absolute form may then be of `https` too.
  /// - Returns: `nil` for another form, for a `%` without two hexadecimal digits, and for a segment that
  ///   decodes to control characters or to bytes that are not UTF-8.
  init?(_ target: String, isSecure: Bool = false) {
    guard let (host, path) = Self.withoutHost(Array(target.utf8), isSecure) else { return nil }
    self.host = host
    // An absolute form without a path has no slash.
    let sent = path.first == UInt8(ascii: "/") ? path.dropFirst() : path
    self.path = sent.prefix { $0 != UInt8(ascii: "?") }
    query = sent[self.path.endIndex...].dropFirst()
    var segments: [String] = []
    segments.reserveCapacity(8)
    var rest = self.path
    while true {
      let segment = rest.prefix { $0 != UInt8(ascii: "/") }
      guard let text = Self.decoded(segment) else { return nil }
      segments.append(text)
      rest = rest[segment.endIndex...]
      if rest.popFirst() == nil { break }
    }
    self.segments = segments
  }

  /// The path from a segment on, as it was sent.
  func path(fromSegment number: Int) -> String {
    let segments = path.split(separator: UInt8(ascii: "/"), maxSplits: number, omittingEmptySubsequences: false)
    return String(decoding: segments.dropFirst(number).first ?? [], as: UTF8.self)
  }

  /// The values of a query parameter, in order, as they were sent. A parameter without `=` has the value `""`.
  func parameters(_ name: String) -> [String] {
    query.split(separator: UInt8(ascii: "&")).compactMap { pair in
      let key = pair.prefix { $0 != UInt8(ascii: "=") }
      return key.elementsEqual(name.utf8)
        ? String(decoding: pair[key.endIndex...].dropFirst(), as: UTF8.self) : nil
    }
  }

  /// The host of the absolute form, and the path with the query.
  private static func withoutHost(
    _ target: [UInt8], _ isSecure: Bool
  ) -> (host: String?, rest: ArraySlice<UInt8>)? {
    if target.first == UInt8(ascii: "/") { return (nil, target[...]) }
    let schemes = isSecure ? ["https://", "http://"] : ["http://"]
    let isOf = { (scheme: String) in
      String(decoding: target.prefix(scheme.utf8.count), as: UTF8.self).lowercased() == scheme
    }
    guard let scheme = schemes.first(where: isOf) else { return nil }
    let rest = target.dropFirst(scheme.utf8.count)
    let host = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
    return rest.isEmpty ? nil : (String(decoding: host, as: UTF8.self), rest[host.endIndex...])
  }

  private static func decoded(_ segment: ArraySlice<UInt8>) -> String? {
    guard let bytes = percentDecoded(segment), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    return text(bytes)
  }

  /// The bytes that a text with percent-encoded ones stands for (RFC 3986 §2.1).
  ///
  /// - Returns: `nil` for a `%` without two hexadecimal digits.
  static func percentDecoded(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard text.contains(UInt8(ascii: "%")) else { return text }
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard let high = rest.popFirst().flatMap(hexadecimal), let low = rest.popFirst().flatMap(hexadecimal)
        else { return nil }
        bytes.append(high << 4 | low)
      } else {
        bytes.append(byte)
      }
    }
    return bytes[...]
  }

  /// - Returns: `nil` for bytes that are not UTF-8.
  static func text(_ bytes: ArraySlice<UInt8>) -> String? {
    do { return String(copying: try UTF8Span(validating: bytes.span)) } catch { return nil }
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
