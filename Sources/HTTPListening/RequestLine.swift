// SPDX-License-Identifier: MIT
import Glibc

/// The first line of a request: `method SP target SP version` (RFC 9112 §3).
enum RequestLine {
  /// No method that exists is longer; a longer first word is not one.
  private static let longestMethod = 32
  private static let space: UInt8 = 0x20

  static func read(
    _ line: UnsafeBufferPointer<UInt8>, at start: Int, into head: RequestHead, _ limits: RequestLimits
  ) throws(HTTPRefusal) {
    guard let methodEnd = firstSpace(line[...]), methodEnd <= longestMethod else { throw .malformedRequestLine }
    let method = UnsafeBufferPointer(rebasing: line[..<methodEnd])
    let rest = line[(methodEnd + 1)...]
    guard isToken(method), let targetEnd = firstSpace(rest) else { throw .malformedRequestLine }
    let target = UnsafeBufferPointer(rebasing: rest[..<targetEnd])
    guard target.count <= limits.target else { throw .targetTooLong(limit: limits.target) }
    guard !target.isEmpty, isTarget(target) else { throw .malformedRequestLine }
    head.isVersion0 = try minorVersion(UnsafeBufferPointer(rebasing: rest[(targetEnd + 1)...])) == 0
    head.method = start..<start + methodEnd
    head.isHead = method.elementsEqual("HEAD".utf8)
    head.target.append(contentsOf: target)
  }

  /// Refuses a line that has become too long before its end came.
  static func checkUnfinished(_ line: UnsafeBufferPointer<UInt8>, _ limits: RequestLimits) throws(HTTPRefusal) {
    guard line.count > longestMethod else { return }
    guard let methodEnd = line.prefix(longestMethod + 1).firstIndex(of: space) else { throw .malformedRequestLine }
    let rest = line[(methodEnd + 1)...]
    guard rest.count > limits.target else { return }
    let targetEnd = rest.firstIndex(of: space) ?? rest.endIndex
    guard targetEnd - rest.startIndex <= limits.target else { throw .targetTooLong(limit: limits.target) }
    guard rest.endIndex - targetEnd <= " HTTP/1.1\r".utf8.count else { throw .malformedRequestLine }
  }

  private static func firstSpace(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard let start = bytes.base.baseAddress,
      let found = memchr(start + bytes.startIndex, Int32(space), bytes.count)
    else { return nil }
    return UnsafeRawPointer(found) - UnsafeRawPointer(start)
  }

  /// No control character, of what ends before the first space; bytes beyond ASCII are let pass, for the layer above to see
  /// whether they are UTF-8.
  private static func isTarget(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let start = bytes.baseAddress else { return false }
    return isFieldContent(bytes) && memchr(start, 0x09, bytes.count) == nil
  }

  /// A later 1.x is understood as 1.1 is (RFC 9110 §2.5).
  private static func minorVersion(_ version: UnsafeBufferPointer<UInt8>) throws(HTTPRefusal) -> UInt8 {
    guard version.count == 8, let start = version.baseAddress, memcmp(start, "HTTP/", 5) == 0, isDigit(version[5]),
      version[6] == 0x2E, isDigit(version[7])
    else { throw .malformedRequestLine }
    guard version[5] == 0x31 else { throw .unsupportedVersion }
    return version[7] - 0x30
  }
}
