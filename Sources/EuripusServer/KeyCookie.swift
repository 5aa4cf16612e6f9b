// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// The cookie that holds a client's key (PROTOCOL §2; RFC 6265).
enum KeyCookie {
  static let name = "euripus"

  /// The credential of the key in a request's `Cookie` fields; `nil` if there is none.
  ///
  /// - Throws: `bad-credential` for two different keys.
  static func credential(_ request: HTTPRequest) throws -> Credential? {
    // Browsers send one field; more than one is only for HTTP/2 and up (RFC 6265 §5.4), but costs nothing to take.
    if request.headerCount("Cookie") > 1, var all = request.list("Cookie", separator: "; ") {
      return try all.withUTF8 { try credential(in: UnsafeRawBufferPointer($0)) }
    }
    return try request.withHeader("Cookie") { field in
      guard let field else { return nil }
      return try credential(in: field)
    }
  }

  /// The credential of the key in the value of a `Cookie` field.
  static func credential(in field: UnsafeRawBufferPointer) throws -> Credential? {
    var found: Credential?
    var rest = field[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
      let pair = rest[..<end].drop { $0 == UInt8(ascii: " ") }
      rest = rest[min(end + 1, rest.endIndex)...]
      guard pair.count > name.utf8.count + 1, pair[pair.startIndex + name.utf8.count] == UInt8(ascii: "="),
        pair.starts(with: name.utf8)
      else { continue }
      let credential = Credential(hashing: UnsafeRawBufferPointer(rebasing: pair.dropFirst(name.utf8.count + 1)))
      if let found, found != credential {
        throw Problem(.badCredential, "the request has two different cookies '\(name)'; expected one")
      }
      found = credential
    }
    return found
  }

  /// The value of the `Set-Cookie` field that hands over a new key, over plain HTTP.
  static func setting(_ key: String) -> String { "\(name)=\(key); Path=/; HttpOnly; SameSite=Strict" }
}
