// SPDX-License-Identifier: MIT

/// How a scalar looks in JSON text.
extension [UInt8] {
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
      append(contentsOf: byte < 0x10 ? "u000".utf8 : "u001".utf8)
      let digit = byte & 0xF
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  mutating func appendDecimal(_ value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    appendDecimal(value.magnitude)
  }

  package mutating func appendDecimal(_ value: UInt64) {
    // 20 digits hold every UInt64.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 20) { digits in
      var rest = value
      var start = digits.count
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest != 0
      append(contentsOf: UnsafeBufferPointer(rebasing: digits[start...]))
    }
  }

  /// An integral value goes without `.0` as far as every integer is a Double, so that the reader's integer equals it.
  mutating func appendShortest(_ value: Double) {
    guard value.isFinite else { return append(contentsOf: "null".utf8) }
    if value == 0, value.sign == .minus { return append(contentsOf: "-0".utf8) }
    if value.magnitude <= 0x1p53, let integer = value.integer { return appendDecimal(integer) }
    append(contentsOf: value.description.utf8)
  }
}
