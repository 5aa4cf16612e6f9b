// SPDX-License-Identifier: MIT
import HTTPListening

/// The cookie that holds a client's key (PROTOCOL §2; RFC 6265).
///
/// Connections by TLS and without it have different cookies, and neither looks at the other's. A cookie that
/// came without TLS may have been planted.
package struct KeyCookie: Sendable {
  /// The name over TLS. A browser takes such a cookie only over TLS, and only from this very host (RFC 6265bis
  /// §4.1.3.2).
  package static let secureName = "__Host-euripus"

  let name: String
  let isSecure: Bool

  /// - Parameter host: the server as the client names it. Without TLS, its port is in the cookie's name. A
  ///   browser has the same cookies for all ports of a host, and two servers on one machine must not overwrite
  ///   each other's.
  init(isSecure: Bool, host: String) {
    self.isSecure = isSecure
    name = isSecure ? Self.secureName : "euripus-" + Self.port(of: host)
  }

  /// The digits after the last colon, unless that colon is part of an address in brackets.
  private static func port(of host: String) -> String {
    let bytes = Array(host.utf8)
    guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return "80" }
    let digits = bytes[(colon + 1)...]
    return digits.isEmpty || digits.contains(UInt8(ascii: "]")) ? "80" : String(decoding: digits, as: UTF8.self)
  }

  /// The keys that a request brings in this cookie, each once. There may be several, as another server may set
  /// one for the whole domain.
  func keys(of request: HTTPRequest) -> [String] {
    // Browsers send one field. Several fields are for HTTP/2 and later only (RFC 6265 §5.4), but taking them
    // costs nothing.
    request.list("Cookie", separator: "; ").map { Self.keys(name, in: $0) } ?? []
  }

  /// The keys in the value of a `Cookie` field, each once. An empty one is not a key.
  package static func keys(_ name: String, in field: String) -> [String] {
    var found: [String] = []
    var rest = Array(field.utf8)[...]
    while !rest.isEmpty {
      let pair = rest.prefix { $0 != UInt8(ascii: ";") }
      rest = rest[pair.endIndex...].dropFirst()
      let start = pair.drop { $0 == UInt8(ascii: " ") }
      let value = start.dropFirst(name.utf8.count)
      guard value.first == UInt8(ascii: "="), start.starts(with: name.utf8) else { continue }
      let key = String(decoding: value.dropFirst(), as: UTF8.self)
      if !key.isEmpty, !found.contains(key) { found.append(key) }
    }
    return found
  }

  /// The value of the `Set-Cookie` field that hands over a new key.
  func setting(_ key: String) -> String {
    "\(name)=\(key); Path=/; \(isSecure ? "Secure; " : "")HttpOnly; SameSite=Strict"
  }
}
