// SPDX-License-Identifier: MIT

/// A request target taken apart: the path's segments, decoded, and the query, not decoded.
struct RequestTarget: Equatable {
  /// What stands between the slashes, percent-decoded. `/` has one, which is empty.
  let segments: [String]
  /// The host, and its port, of a target of the absolute form.
  let host: String?
  private let query: ArraySlice<UInt8>

  /// Takes the origin form `/path?query` and the absolute form `http://host/path?query` (RFC 9112 §3.2).
  ///
  /// - Returns: `nil` for another form, for a `%` without two hexadecimal digits, and for a segment that decodes to
  ///   control characters or to what is not UTF-8.
  init?(_ target: [UInt8]) {
    guard let (host, start) = Self.start(target) else { return nil }
    self.host = host
    guard let (segments, end) = target.withUnsafeBufferPointer({ Self.path(in: $0, from: start) }) else { return nil }
    self.segments = segments
    query = target[min(end + 1, target.count)...]
  }

  /// The segments of the path, and where its end is: at the question mark, or behind the last byte.
  private static func path(
    in target: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> (segments: [String], end: Int)? {
    var segments: [String] = []
    segments.reserveCapacity(6)
    // Without a path, the absolute form has no slash.
    var begin = start < target.count && target[start] == UInt8(ascii: "/") ? start + 1 : start
    var position = begin
    var isPlain = true
    while true {
      let byte = position < target.count ? target[position] : UInt8(ascii: "?")
      switch byte {
      // Most, and looked at first.
      case 0x40..<0x7F: break
      case UInt8(ascii: "/"), UInt8(ascii: "?"):
        let bytes = UnsafeBufferPointer(rebasing: target[begin..<position])
        guard let segment = isPlain ? String(decoding: bytes, as: UTF8.self) : decoded(bytes) else { return nil }
        segments.append(segment)
        if byte == UInt8(ascii: "?") { return (segments, position) }
        begin = position + 1
        isPlain = true
      case UInt8(ascii: "%"), 0...0x1F, 0x7F...: isPlain = false
      default: break
      }
      position += 1
    }
  }

  init?(_ target: String) { self.init(Array(target.utf8)) }

  /// The values of a query parameter, in order, as sent; one without `=` has the value `""`.
  func parameters(_ name: StaticString) -> [String] {
    if query.isEmpty { return [] }
    return query.split(separator: UInt8(ascii: "&")).compactMap { pair in
      let end = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
      let isNamed = name.withUTF8Buffer { pair[..<end].elementsEqual($0) }
      return isNamed ? String(decoding: pair[end...].dropFirst(), as: UTF8.self) : nil
    }
  }

  /// The host of the absolute form, and where the path begins; a target without a path has the path of the root.
  private static func start(_ target: [UInt8]) -> (host: String?, path: Int)? {
    if target.first == UInt8(ascii: "/") { return (nil, 0) }
    let scheme = Array("http://".utf8)
    guard target.count > scheme.count, zip(target, scheme).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { return nil }
    let path = target[scheme.count...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? target.count
    return (String(decoding: target[scheme.count..<path], as: UTF8.self), path)
  }

  private static func decoded(_ segment: UnsafeBufferPointer<UInt8>) -> String? {
    var bytes: [UInt8] = []
    var rest = segment[...]
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
