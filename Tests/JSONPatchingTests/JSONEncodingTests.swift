// SPDX-License-Identifier: MIT
import JSONPatching
import Testing

/// The reader takes UTF-8 and nothing else, whatever the text says (RFC 8259 §8).
@Suite struct `The reader takes a text` {
  private static let text = #"{"a":["é",1]}"#

  /// The text in another encoding: the bytes of each of its units in one of the two byte orders.
  private static func encoded<Unit: FixedWidthInteger>(_ units: [Unit], bigEndian: Bool) -> [UInt8] {
    units.flatMap { unit in
      withUnsafeBytes(of: bigEndian ? unit.bigEndian : unit.littleEndian, Array.init)
    }
  }

  @Test(arguments: [false, true])
  func `in UTF-16 or UTF-32 for no JSON, and says so at its first byte that could not be`(bigEndian: Bool) {
    let utf16 = Array(Self.text.utf16)
    let utf32 = Self.text.unicodeScalars.map(\.value)
    // Without a mark the first wrong byte is the first zero. Little-endian texts have their `{` before it.
    let firstZero = bigEndian ? 0 : 1
    #expect(offset(Self.encoded(utf16, bigEndian: bigEndian)) == firstZero)
    #expect(offset(Self.encoded(utf32, bigEndian: bigEndian)) == firstZero)
    #expect(offset(Self.encoded([0xFEFF] + utf16, bigEndian: bigEndian)) == 0)
    #expect(offset(Self.encoded([0xFEFF] + utf32, bigEndian: bigEndian)) == 0)
  }

  @Test func `with a byte order mark for no JSON, wherever the mark stands outside a string`() {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    for (before, after) in [("", ""), ("", "{}"), (" ", "{}"), ("{}", ""), ("[", "]")] {
      #expect(offset(Array(before.utf8) + mark + Array(after.utf8)) == before.utf8.count)
    }
  }

  /// The whole of Unicode by its boundaries: the first and last character of each length, both sides of the
  /// surrogates, the end.
  @Test(
    arguments: [
      0x20, 0x7F, 0x80, 0x7FF, 0x800, 0xFFF, 0x1000, 0xCFFF, 0xD000, 0xD7FF, 0xE000, 0xFDD0, 0xFFFD, 0xFFFE, 0x1_0000,
      0x3_FFFF, 0x4_0000, 0xF_FFFF, 0x10_0000, 0x10_FFFF,
    ] as [UInt32])
  func `with any code point but a surrogate, raw and escaped`(value: UInt32) throws {
    let scalar = try #require(Unicode.Scalar(value))
    let digits = Character(scalar).utf16.map { String(String(0x1_0000 + UInt32($0), radix: 16).dropFirst()) }
    let lower = digits.map { "\\u" + $0 }.joined()
    let upper = digits.map { "\\u" + $0.uppercased() }.joined()
    for text in ["\"\(scalar)\"", "\"\(scalar)\\n\"", "\"\(lower)\"", "\"\(upper)\""] {
      #expect(try read(text).string?.unicodeScalars.first == scalar, "\(text)")
    }
  }

  /// Each of the 2,048 surrogates, encoded as if it were a character (CESU-8) and as a lone escape.
  @Test func `with no surrogate at all, neither as bytes nor as an escape, and points at it`() {
    for unit in UInt16(0xD800)...0xDFFF {
      let bytes = [0xED, UInt8(0x80 | (unit >> 6) & 0x3F), UInt8(0x80 | unit & 0x3F)]
      #expect(offset(Array("\"ab".utf8) + bytes + Array("\"".utf8)) == 3)
      #expect(offset(Array("\"ab\\u\(String(unit, radix: 16))\"".utf8)) == 3)
    }
  }

  /// Every byte that may not start a character, and every first byte with a wrong second one.
  @Test func `with no byte sequence that the standard's table lacks, and points at its start`() {
    let before = Array("[\"plain, long enough for a word: ".utf8)
    for first in UInt8(0x80)...0xFF {
      for second in [0x20, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF] as [UInt8] {
        let sequence = [first, second, 0x80, 0x80]
        // The standard library's decoder is the referee: it puts U+FFFD where a sequence is wrong.
        let decoded = String(decoding: before + sequence, as: UTF8.self)
        let expected = String(validating: before + sequence, as: UTF8.self) == nil
        #expect(expected == decoded.contains("\u{FFFD}"))
        let got = offset(before + sequence + Array("\"]".utf8))
        #expect((got != nil) == expected, "\(first) \(second)")
        if expected {
          let plain = decoded.unicodeScalars.prefix { $0 != "\u{FFFD}" }
          #expect(got == plain.reduce(0) { $0 + UTF8.width($1) }, "\(first) \(second)")
        }
      }
    }
  }
}
