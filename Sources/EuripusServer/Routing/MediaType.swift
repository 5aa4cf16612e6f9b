// SPDX-License-Identifier: MIT

/// Media types (RFC 9110 §8.3.1), as far as requests need them.
enum MediaType {
  private static let json: StaticString = "application/json"

  /// Whether a `Content-Type` is `application/json`, with or without parameters.
  static func isJSON(_ field: UnsafeBufferPointer<UInt8>) -> Bool {
    let length = json.utf8CodeUnitCount
    guard field.count >= length else { return false }
    for index in 0..<length where !isSame(field[index], json.utf8Start[index]) { return false }
    let next = field[length...].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return next == nil || next == UInt8(ascii: ";")
  }

  /// - Parameter known: a small letter, or a slash.
  private static func isSame(_ byte: UInt8, _ known: UInt8) -> Bool {
    byte == known || byte | 0x20 == known && known != UInt8(ascii: "/")
  }
}
