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
    let mark = target[start...].firstIndex(of: UInt8(ascii: "?"))
    query = mark.map { target[($0 + 1)...] } ?? []
    var segments: [String] = []
    segments.reserveCapacity(6)
    var rest = target[start..<(mark ?? target.endIndex)].dropFirst()  // the slash
    while true {
      let end = rest.firstIndex(of: UInt8(ascii: "/"))
      guard let segment = Self.decoded(rest[..<(end ?? rest.endIndex)]) else { return nil }
      segments.append(segment)
      guard let end else { break }
      rest = rest[(end + 1)...]
    }
    self.segments = segments
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

  private static func decoded(_ segment: ArraySlice<UInt8>) -> String? {
    if segment.allSatisfy({ $0 != UInt8(ascii: "%") && $0 > 0x1F && $0 < 0x7F }) {
      return String(decoding: segment, as: UTF8.self)
    }
    var bytes: [UInt8] = []
    var rest = segment
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
