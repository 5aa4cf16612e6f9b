// SPDX-License-Identifier: MIT
import Buffers

/// How a scalar looks in JSON text.
extension Buffer<UInt8> {
  /// `value` in quotes. Only `"`, `\` and control characters are escaped, as RFC 8259 §7 demands.
  mutating func appendJSONString(_ value: String) {
    append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { text in
      var start = 0
      while true {
        let run = PlainRun(in: text, from: start)
        append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<run.end]))
        if run.end == text.count { return }
        appendEscape(of: text[run.end])
        start = run.end + 1
      }
    }
    append(UInt8(ascii: "\""))
  }

  private mutating func appendEscape(of byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    case 0x08: append(UInt8(ascii: "b"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x09: append(UInt8(ascii: "t"))
    default:
      append(byte < 0x10 ? "u000" : "u001")
      let digit = byte & 0xF
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  mutating func append(decimal value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(decimal: value.magnitude)
  }

  /// An integral value goes without `.0` as far as every integer is a Double, so that the reader's integer equals it.
  mutating func appendShortest(_ value: Double) {
    guard value.isFinite else { return append("null") }
    if value == 0, value.sign == .minus { return append("-0") }
    if value.magnitude <= 0x1p53, let integer = value.integer { return append(decimal: integer) }
    append(utf8: value.description)
  }
}
