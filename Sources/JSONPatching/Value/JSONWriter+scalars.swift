// SPDX-License-Identifier: MIT

/// Writes scalars as JSON text.
extension JSONWriter {
  /// Appends `value` in quotation marks. Only `"`, `\` and control characters are escaped, as RFC 8259 §7
  /// demands.
  mutating func append(quoted value: String) {
    bytes.append(UInt8(ascii: "\""))
    let text = value.utf8Span.span
    if text.indices.allSatisfy({ !Self.isEscaped(text[$0]) }) {
      bytes.append(contentsOf: value.utf8)
    } else {
      for index in text.indices { append(inString: text[index]) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func append(inString byte: UInt8) {
    guard Self.isEscaped(byte) else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      append(byte < 0x10 ? "u000" : "u001")
      append(String(byte & 0xF, radix: 16))
    }
  }

  /// Appends a number. An integral value has no `.0` as long as every integer is a Double, so that the reader's
  /// integer equals it.
  mutating func append(shortest value: Double) {
    guard value.isFinite else { return append("null") }
    if value == 0, value.sign == .minus { return append("-0") }
    if value.magnitude <= 0x1p53, let integer = value.integer { return append(decimal: integer) }
    append(value.description)
  }

  mutating func append(decimal value: Int64) {
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    append(decimal: value.magnitude)
  }

  mutating func append(decimal value: UInt64) {
    if value >= 10 { append(decimal: value / 10) }
    bytes.append(UInt8(ascii: "0") + UInt8(value % 10))
  }

  mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}
