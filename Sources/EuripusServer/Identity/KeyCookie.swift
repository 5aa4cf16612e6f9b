// SPDX-License-Identifier: MIT
import Glibc
import HTTPListening

/// The cookie that holds a client's key (PROTOCOL §2; RFC 6265).
enum KeyCookie {
  /// Over TLS a name that a browser takes from this very host alone, and only over TLS (RFC 6265bis §4.1.3.2). Each kind of
  /// connection has its own name, and does not look at the other: what came without TLS may have been planted.
  static func name(isSecure: Bool) -> StaticString { isSecure ? "__Host-euripus" : "euripus" }

  /// Shows `body` the key in a request's `Cookie` fields; `nil` if there is none.
  ///
  /// - Throws: `bad-credential` for two different keys.
  static func withKey<Result>(
    _ request: HTTPRequest, isSecure: Bool, _ body: (UnsafeRawBufferPointer?) -> Result
  ) throws(Problem) -> Result {
    let name = name(isSecure: isSecure)
    // Browsers send one field; more than one is only for HTTP/2 and up (RFC 6265 §5.4), but costs nothing to take.
    if request.hasSeveral("Cookie"), let all = request.list("Cookie", separator: "; ") {
      return try Array(all.utf8).withUnsafeBufferPointer { (bytes) throws(Problem) in
        body(try key(name, in: UnsafeRawBufferPointer(bytes)))
      }
    }
    guard let field = request.headerBytes("Cookie") else { return body(nil) }
    return body(try key(name, in: UnsafeRawBufferPointer(field)))
  }

  /// The key in the value of a `Cookie` field.
  static func key(_ name: StaticString, in field: UnsafeRawBufferPointer) throws(Problem) -> UnsafeRawBufferPointer? {
    var found: UnsafeRawBufferPointer?
    var start = 0
    while start < field.count {
      let end = field.first(UInt8(ascii: ";"), from: start) ?? field.count
      while start < end, field[start] == UInt8(ascii: " ") { start += 1 }
      let pair = UnsafeRawBufferPointer(rebasing: field[start..<end])
      start = end + 1
      guard let key = value(of: name, in: pair) else { continue }
      if let found, !found.elementsEqual(key) {
        throw .badCredential("the request has two different cookies '\(name)'; expected one", of: .keys)
      }
      found = key
    }
    return found
  }

  /// What follows the name and the sign of equality; `nil` for another name, or for nothing.
  private static func value(of name: StaticString, in pair: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    let length = name.utf8CodeUnitCount
    guard pair.count > length + 1, pair[length] == UInt8(ascii: "=") else { return nil }
    guard let start = pair.baseAddress, memcmp(start, name.utf8Start, length) == 0 else { return nil }
    return UnsafeRawBufferPointer(rebasing: pair[(length + 1)...])
  }

  /// The value of the `Set-Cookie` field that hands over a new key.
  static func setting(_ key: String, isSecure: Bool) -> String {
    "\(name(isSecure: isSecure))=\(key); Path=/; \(isSecure ? "Secure; " : "")HttpOnly; SameSite=Strict"
  }
}

extension UnsafeRawBufferPointer {
  /// Where a byte first is, from an index on.
  fileprivate func first(_ byte: UInt8, from index: Int) -> Int? {
    guard let baseAddress, let found = memchr(baseAddress + index, Int32(byte), count - index) else { return nil }
    return UnsafeRawPointer(found) - baseAddress
  }
}
