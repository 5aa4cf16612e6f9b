// SPDX-License-Identifier: MIT
import Glibc
import Sessions

/// A request target taken apart: the path's segments, and the query, not decoded.
struct RequestTarget {
  /// The host, and its port, of a target of the absolute form.
  let host: String?
  private let bytes: [UInt8]
  /// Where the path is, without the slash that it begins with.
  private let path: Range<Int>
  /// Whether the path has nothing to decode, and is of ASCII.
  private let isPlain: Bool

  /// Takes the origin form `/path?query` and the absolute form `http://host/path?query` (RFC 9112 §3.2).
  ///
  /// - Returns: `nil` for another form, for a `%` without two hexadecimal digits, and for a segment that decodes to
  ///   control characters or to what is not UTF-8.
  init?(_ target: consuming [UInt8]) {
    guard let (host, start) = Self.start(target) else { return nil }
    self.host = host
    bytes = target
    // Without a path, the absolute form has no slash.
    let begin = start < target.count && target[start] == UInt8(ascii: "/") ? start + 1 : start
    let (end, isPlain) = target.withUnsafeBufferPointer { target in
      let rest = UnsafeBufferPointer(rebasing: target[begin...])
      let path = UnsafeBufferPointer(rebasing: rest[..<(rest.first(UInt8(ascii: "?")) ?? rest.count)])
      return (begin + path.count, path.first(UInt8(ascii: "%")) == nil && path.isVisible)
    }
    path = begin..<end
    self.isPlain = isPlain
    if !isPlain, !isDecodable { return nil }
  }

  private var isDecodable: Bool {
    withSegments { segments in
      while let segment = segments.next() { if Self.decoded(segment.bytes) == nil { return false } }
      return true
    }
  }

  /// What stands between the slashes, percent-decoded. `/` has one, which is empty.
  var segments: [String] { withSegments { $0.texts() } }

  /// Shows `body` the segments, one after the other.
  func withSegments<Result>(_ body: (inout Segments) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { bytes in
      var segments = Segments(path: UnsafeBufferPointer(rebasing: bytes[path]), isPlain: isPlain)
      return body(&segments)
    }
  }

  /// The segments of a path that were not looked at yet.
  struct Segments {
    fileprivate let path: UnsafeBufferPointer<UInt8>
    fileprivate let isPlain: Bool
    private var start = 0

    fileprivate init(path: UnsafeBufferPointer<UInt8>, isPlain: Bool) {
      self.path = path
      self.isPlain = isPlain
    }

    var isAtEnd: Bool { start > path.count }

    mutating func next() -> Segment? {
      guard !isAtEnd else { return nil }
      let rest = UnsafeBufferPointer(rebasing: path[start...])
      let segment = UnsafeBufferPointer(rebasing: rest[..<(rest.first(UInt8(ascii: "/")) ?? rest.count)])
      start += segment.count + 1
      return Segment(bytes: segment, isPlain: isPlain)
    }

    /// The text of each segment that is left.
    mutating func texts() -> [String] { map { $0.text } }

    /// What `body` gives for each segment that is left.
    mutating func map<Element>(_ body: (Segment) -> Element) -> [Element] {
      guard let first = next() else { return [] }
      var elements = [body(first)]
      while let segment = next() { elements.append(body(segment)) }
      return elements
    }
  }

  struct Segment {
    fileprivate let bytes: UnsafeBufferPointer<UInt8>
    fileprivate let isPlain: Bool

    var isEmpty: Bool { bytes.isEmpty }

    /// Percent-decoded.
    var text: String {
      if isPlain { return String(decoding: bytes, as: UTF8.self) }
      // Looked at when the target was taken.
      return RequestTarget.decoded(bytes) ?? ""
    }

    /// Whether its text is this one.
    func isEqual(_ name: StaticString) -> Bool {
      guard isPlain, let start = bytes.baseAddress else { return text == name.description }
      return bytes.count == name.utf8CodeUnitCount && memcmp(start, name.utf8Start, bytes.count) == 0
    }

    /// Its text as a reference token of a JSON Pointer, unescaped (RFC 6901 §4).
    var token: String {
      if isPlain, bytes.first(UInt8(ascii: "~")) == nil { return text }
      return text.replacing("~1", with: "/").replacing("~0", with: "~")
    }

    /// Its text as the id of a session; `nil` if it cannot be one.
    var sessionID: SessionID? { isPlain ? SessionID(bytes) : SessionID(text) }
  }

  init?(_ target: String) { self.init(Array(target.utf8)) }

  /// The values of a query parameter, in order, as sent; one without `=` has the value `""`.
  func parameters(_ name: StaticString) -> [String] {
    let query = bytes[min(path.upperBound + 1, bytes.count)...]
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

  fileprivate static func decoded(_ segment: UnsafeBufferPointer<UInt8>) -> String? {
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

extension UnsafeBufferPointer<UInt8> {
  /// Where a byte first is.
  fileprivate func first(_ byte: UInt8) -> Int? {
    guard let start = baseAddress, let found = memchr(start, Int32(byte), count) else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }

  /// Whether all are of ASCII, and none is a control character.
  fileprivate var isVisible: Bool {
    let raw = UnsafeRawBufferPointer(self)
    let every: UInt64 = 0x0101_0101_0101_0101
    var position = 0
    // Eight at once: a byte at a time, this would cost as much as finding what the path names.
    while position + 8 <= raw.count {
      let eight = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      // The first bit of a byte is set by what is below a space, by what is above a tilde, and by what is not ASCII.
      let marks = (eight &- (0x20 &* every)) | (eight &+ every) | eight
      if marks & (0x80 &* every) != 0 { return false }
      position += 8
    }
    return raw[position...].allSatisfy { $0 &- 0x20 < 0x5F }
  }
}
