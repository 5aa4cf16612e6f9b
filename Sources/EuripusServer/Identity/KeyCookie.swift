// SPDX-License-Identifier: MIT
import HTTPListening

/// The cookie that holds a client's key (PROTOCOL §2; RFC 6265).
package enum KeyCookie {
  /// Over TLS a name that a browser takes from this very host alone, and only over TLS (RFC 6265bis §4.1.3.2). Each kind of
  /// connection has its own name, and does not look at the other: what came without TLS may have been planted.
  package static func name(isSecure: Bool) -> String { isSecure ? "__Host-euripus" : "euripus" }

  /// The key in a request's `Cookie` fields; `nil` if there is none.
  ///
  /// - Throws: `bad-credential` for two different keys.
  static func key(_ request: HTTPRequest, isSecure: Bool) throws(Problem) -> String? {
    // Browsers send one field; more than one is only for HTTP/2 and up (RFC 6265 §5.4), but costs nothing to take.
    guard let field = request.list("Cookie", separator: "; ") else { return nil }
    return try key(name(isSecure: isSecure), in: field)
  }

  /// The key in the value of a `Cookie` field.
  static func key(_ name: String, in field: String) throws(Problem) -> String? {
    let start = "\(name)="
    var found: String?
    for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
      let pair = pair.drop { $0 == UInt8(ascii: " ") }
      guard pair.starts(with: start.utf8) else { continue }
      let key = String(Substring(pair.dropFirst(start.utf8.count)))
      if key.isEmpty { continue }
      if let found, found != key {
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
