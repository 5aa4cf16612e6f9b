// SPDX-License-Identifier: MIT

extension Buffer<UInt8> {
  @inlinable @inline(__always)
  public mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// The text in UTF-8.
  @inlinable
  public mutating func append(utf8 text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }

  /// A number in decimal digits.
  public mutating func append(decimal value: UInt64) {
    var digits = 1
    var rest = value / 10
    while rest != 0 {
      digits += 1
      rest /= 10
    }
    makeRoom(for: digits)
    rest = value
    for place in stride(from: used + digits - 1, through: used, by: -1) {
      start.unsafelyUnwrapped[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    used += digits
  }
}
