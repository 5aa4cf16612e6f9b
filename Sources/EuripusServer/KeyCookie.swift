// SPDX-License-Identifier: MIT

/// The cookie that holds a client's key (PROTOCOL §2; RFC 6265).
enum KeyCookie {
  static let name = "euripus"

  /// The key in a `Cookie` field; the first one where there are several.
  static func key(in field: String?) -> String? {
    guard var field else { return nil }
    return field.withUTF8 { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
        let pair = rest[..<end].drop { $0 == UInt8(ascii: " ") }
        if pair.count > name.utf8.count, pair[pair.startIndex + name.utf8.count] == UInt8(ascii: "="),
          pair.starts(with: name.utf8)
        {
          let key = pair.dropFirst(name.utf8.count + 1)
          return key.isEmpty ? nil : String(decoding: key, as: UTF8.self)
        }
        rest = rest[min(end + 1, rest.endIndex)...]
      }
      return nil
    }
  }

  /// The value of the `Set-Cookie` field that hands over a new key, over plain HTTP.
  static func setting(_ key: String) -> String { "\(name)=\(key); Path=/; HttpOnly; SameSite=Strict" }
}
