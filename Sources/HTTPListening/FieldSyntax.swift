// SPDX-License-Identifier: MIT

/// Whether two ASCII names are the same but for case.
func equalsIgnoringCase(_ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>) -> Bool {
  guard first.count == second.count else { return false }
  for index in first.indices where lowercase(first[index]) != lowercase(second[index]) { return false }
  return true
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
  // Sixteen at once: most of a head are values, and a byte at a time they would cost as much as all the rest of it.
  while position + 16 <= raw.count {
    let many = raw.loadUnaligned(fromByteOffset: position, as: SIMD16<UInt8>.self)
    if any((many .< 0x20 .& many .!= 0x09) .| many .== 0x7F) { return false }
    position += 16
  }
  for byte in bytes[position...] where !isFieldByte(byte) { return false }
  return true
}

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
  return (byte < 64 ? tokenLow >> UInt64(byte) : tokenHigh >> UInt64(byte - 64)) & 1 == 1
}
