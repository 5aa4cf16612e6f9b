// SPDX-License-Identifier: MIT
import Glibc

/// Whether two ASCII names are the same but for case.
func equalsIgnoringCase(_ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>) -> Bool {
  guard first.count == second.count else { return false }
  for index in first.indices where lowercase(first[index]) != lowercase(second[index]) { return false }
  return true
}

/// The same of a text that is known beforehand.
func equalsIgnoringCase(_ bytes: UnsafeBufferPointer<UInt8>, _ text: StaticString) -> Bool {
  guard bytes.count == text.utf8CodeUnitCount, let start = bytes.baseAddress else { return false }
  // Most clients write a name as its standard does.
  if memcmp(start, text.utf8Start, bytes.count) == 0 { return true }
  return equalsIgnoringCase(bytes, UnsafeBufferPointer(start: text.utf8Start, count: bytes.count))
}

/// Whether the bytes are a token (RFC 9110 § 5.6.2).
func isToken(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  guard !bytes.isEmpty else { return false }
  for byte in bytes where !isTokenByte(byte) { return false }
  return true
}

/// Whether the bytes may stand in a field value: no control character but the tab (RFC 9110 § 5.5).
func isFieldContent(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  let raw = UnsafeRawBufferPointer(bytes)
  var position = 0
  // Eight at once: most of a head are values, and a byte at a time they would cost as much as all the rest of it.
  while position + 8 <= raw.count {
    let eight = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    let delete = eight ^ (0x7F &* everyByte)
    let below20 = (eight &- 0x20 &* everyByte) & ~eight
    let isDelete = (delete &- everyByte) & ~delete
    if (below20 | isDelete) & (0x80 &* everyByte) != 0 {
      for byte in bytes[position..<position + 8] where !isFieldByte(byte) { return false }
    }
    position += 8
  }
  for byte in bytes[position...] where !isFieldByte(byte) { return false }
  return true
}

/// A one in each byte.
private let everyByte: UInt64 = 0x0101_0101_0101_0101

func isFieldByte(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7F) || byte == 0x09 }

/// The white space that may stand in a line (RFC 9110 § 5.6.3).
func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

private func lowercase(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

/// The token characters above and below 64, a bit each: letters, digits and !#$%&'*+-.^_`|~
private let tokenLow: UInt64 = 0x03FF_6CFA_0000_0000
private let tokenHigh: UInt64 = 0x57FF_FFFF_C7FF_FFFE

func isTokenByte(_ byte: UInt8) -> Bool {
  guard byte < 128 else { return false }
  return (byte < 64 ? tokenLow : tokenHigh) &>> UInt64(byte) & 1 == 1
}
