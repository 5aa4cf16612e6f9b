// SPDX-License-Identifier: MIT
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
    if request.headerCount("Cookie") > 1, let all = request.list("Cookie", separator: "; ") {
      return try Array(all.utf8).withUnsafeBufferPointer { (bytes) throws(Problem) in
        body(try key(name, in: UnsafeRawBufferPointer(bytes)))
      }
    }
    return try request.withHeader("Cookie") { (field) throws(Problem) in
      guard let field else { return body(nil) }
      return body(try key(name, in: field))
    }
  }

  /// The key in the value of a `Cookie` field.
  static func key(_ name: StaticString, in field: UnsafeRawBufferPointer) throws(Problem) -> UnsafeRawBufferPointer? {
    let length = name.utf8CodeUnitCount
    var found: UnsafeRawBufferPointer?
    var rest = field[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
      let pair = rest[..<end].drop { $0 == UInt8(ascii: " ") }
      rest = rest[min(end + 1, rest.endIndex)...]
      guard pair.count > length + 1, pair[pair.startIndex + length] == UInt8(ascii: "="),
        name.withUTF8Buffer({ pair.starts(with: $0) })
      else { continue }
      let key = UnsafeRawBufferPointer(rebasing: pair.dropFirst(length + 1))
      if let found, !found.elementsEqual(key) {
        throw .badCredential("the request has two different cookies '\(name)'; expected one", of: .keys)
      }
      found = key
    }
    return found
  }

  /// The value of the `Set-Cookie` field that hands over a new key.
  static func setting(_ key: String, isSecure: Bool) -> String {
    "\(name(isSecure: isSecure))=\(key); Path=/; \(isSecure ? "Secure; " : "")HttpOnly; SameSite=Strict"
  }
}
