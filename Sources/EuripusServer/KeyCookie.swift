// SPDX-License-Identifier: MIT

/// The cookie that holds a client's key (PROTOCOL §2; RFC 6265).
enum KeyCookie {
  static let name = "euripus"

  /// The key in a `Cookie` field; the first one where there are several.
  static func key(in field: String?) -> String? {
    guard let field else { return nil }
    for pair in field.utf8.split(separator: UInt8(ascii: ";")) {
      let trimmed = pair.drop { $0 == UInt8(ascii: " ") }
      guard trimmed.starts(with: "\(name)=".utf8) else { continue }
      let key = Substring(trimmed.dropFirst(name.utf8.count + 1))
      return key.isEmpty ? nil : String(key)
    }
    return nil
  }

  /// The value of the `Set-Cookie` field that hands over a new key, over plain HTTP.
  static func setting(_ key: String) -> String { "\(name)=\(key); Path=/; HttpOnly; SameSite=Strict" }
}
