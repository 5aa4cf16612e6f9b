// SPDX-License-Identifier: MIT

/// The bytes of a string that stand for themselves in JSON: up to the next `"`, `\` or control character (RFC 8259 §7).
struct PlainRun {
  /// The offset after the run: that of the byte that ends it, or the length of the text.
  let end: Int
  /// Whether no byte of the run is over 0x7F. May be false where only bytes after the run are.
  let isASCII: Bool

  /// Eight bytes a step. `(word - 0x01…) & ~word & 0x80…` marks each byte that is zero; marks above the first may be
  /// false, so only the lowest counts (Hacker's Delight §6-1).
  init(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    var position = start
    var seen: UInt64 = 0
    while position + 8 <= bytes.count {
      let raw = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + position)
      let word = UInt64(littleEndian: raw.loadUnaligned(as: UInt64.self))
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      let marks =
        ((quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- ones &* 0x20) & ~word) & highs
      seen |= word
      if marks != 0 {
        end = position + marks.trailingZeroBitCount / 8
        isASCII = seen & highs == 0
        return
      }
      position += 8
    }
    while position < bytes.count {
      let byte = bytes[position]
      if byte == 0x22 || byte == 0x5C || byte < 0x20 { break }
      seen |= UInt64(byte)
      position += 1
    }
    end = position
    isASCII = seen & highs == 0
  }
}
