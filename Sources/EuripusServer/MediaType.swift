// SPDX-License-Identifier: MIT

/// Media types (RFC 9110 §8.3.1), as far as requests need them.
enum MediaType {
  private static let json = Array("application/json".utf8)

  /// Whether a `Content-Type` is `application/json`, with or without parameters.
  static func isJSON(_ field: UnsafeRawBufferPointer) -> Bool {
    guard field.count >= json.count else { return false }
    for (index, byte) in json.enumerated() where field[index] | 0x20 != byte && field[index] != byte { return false }
    let next = field[json.count...].first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return next == nil || next == UInt8(ascii: ";")
  }
}
