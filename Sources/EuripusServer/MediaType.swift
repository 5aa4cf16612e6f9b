// SPDX-License-Identifier: MIT

/// Media types (RFC 9110 §8.3.1), as far as requests need them.
enum MediaType {
  private static let json = Array("application/json".utf8)

  /// Whether a `Content-Type` is `application/json`, with or without parameters.
  static func isJSON(_ field: ArraySlice<UInt8>) -> Bool {
    var rest = field
    for byte in json {
      guard let next = rest.popFirst(), next | 0x20 == byte || next == byte else { return false }
    }
    let next = rest.first { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
    return next == nil || next == UInt8(ascii: ";")
  }
}
