// SPDX-License-Identifier: MIT
import HTTPListening
import Sessions

/// The cookie that holds a client's key (PROTOCOL §2; RFC 6265).
enum KeyCookie {
  static let name = "euripus"

  /// The credential of the key in a request's `Cookie` field; of the first one where there are several.
  static func credential(_ request: HTTPRequest) -> Credential? {
    request.withHeader("Cookie") { field in
      field.flatMap(key).map { Credential(hashing: UnsafeRawBufferPointer(rebasing: $0)) }
    }
  }

  /// The bytes of the key in the value of a `Cookie` field.
  static func key(in field: UnsafeRawBufferPointer) -> Slice<UnsafeRawBufferPointer>? {
    var rest = field[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: ";")) ?? rest.endIndex
      let pair = rest[..<end].drop { $0 == UInt8(ascii: " ") }
      if pair.count > name.utf8.count, pair[pair.startIndex + name.utf8.count] == UInt8(ascii: "="),
        pair.starts(with: name.utf8)
      {
        let key = pair.dropFirst(name.utf8.count + 1)
        return key.isEmpty ? nil : key
      }
      rest = rest[min(end + 1, rest.endIndex)...]
    }
    return nil
  }

  /// The value of the `Set-Cookie` field that hands over a new key, over plain HTTP.
  static func setting(_ key: String) -> String { "\(name)=\(key); Path=/; HttpOnly; SameSite=Strict" }
}
