// SPDX-License-Identifier: MIT

/// Whether the name of a field is this one, in any case of its letters.
func isName(_ bytes: borrowing Span<UInt8>, _ name: StaticString) -> Bool {
  bytes.count == name.utf8CodeUnitCount && isName(bytes, startingWith: name)
}

/// Whether the name of a field begins with this text, in any case of its letters.
func isName(_ bytes: borrowing Span<UInt8>, startingWith name: StaticString) -> Bool {
  guard bytes.count >= name.utf8CodeUnitCount else { return false }
  return name.withUTF8Buffer { name in
    for index in name.indices where lowercase(bytes[index]) != lowercase(name[index]) { return false }
    return true
  }
}

/// Whether the bytes are a token (RFC 9110 § 5.6.2).
func isToken(_ bytes: borrowing Span<UInt8>) -> Bool {
  for index in bytes.indices where !isTokenByte(bytes[index]) { return false }
  return !bytes.isEmpty
}

/// Whether the bytes may stand in a field value: no control character but the tab (RFC 9110 § 5.5).
func isFieldContent(_ bytes: borrowing Span<UInt8>) -> Bool {
  for index in bytes.indices {
    let byte = bytes[index]
    if byte < 0x20 && byte != 0x09 || byte == 0x7F { return false }
  }
  return true
}

/// The value of decimal digits, or the largest `Int` if it is larger; nil for anything else (RFC 9110 § 8.6).
func decimal(_ bytes: borrowing Span<UInt8>) -> Int? {
  guard !bytes.isEmpty else { return nil }
  var number = 0
  for index in bytes.indices {
    guard isDigit(bytes[index]) else { return nil }
    let (tens, overflows) = number.multipliedReportingOverflow(by: 10)
    number = overflows || tens > .max - 9 ? .max : tens + Int(bytes[index] - 0x30)
  }
  return number
}

func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }

func isTokenByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x21, 0x23...0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
  default: isLetter(byte) || isDigit(byte)
  }
}

/// Whether the bytes are a host, perhaps with a port, as in a Host field (RFC 9110 §7.2). A host is a name, an
/// IPv4 address, or an IPv6 address in brackets. It cannot be empty, since every target that this server takes
/// has a host.
func isHost(_ bytes: borrowing Span<UInt8>) -> Bool {
  var end = 0
  if bytes.count > 0, bytes[0] == 0x5B {
    end = 1
    while end < bytes.count, isAddressByte(bytes[end]) { end += 1 }
    guard end > 1, end < bytes.count, bytes[end] == 0x5D else { return false }
    end += 1
  } else {
    while end < bytes.count, isNameByte(bytes[end]) { end += 1 }
    guard end > 0 else { return false }
  }
  return end == bytes.count || bytes[end] == 0x3A && isPort(bytes.extracting((end + 1)...))
}

/// Whether the digits are a 16-bit number. No digits are allowed too (RFC 3986 §3.2.3).
private func isPort(_ digits: borrowing Span<UInt8>) -> Bool {
  digits.isEmpty || decimal(digits).map { $0 <= UInt16.max } ?? false
}

/// Whether the byte may stand in an IPv6 address (RFC 3986 §3.2.2).
private func isAddressByte(_ byte: UInt8) -> Bool { byte == 0x2E || byte == 0x3A || hexDigit(byte) != nil }

/// Whether the byte may stand in the name of a host, where a `%` begins an encoded byte (RFC 3986 §3.2.2).
private func isNameByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0x21, 0x24...0x2E, 0x3B, 0x3D, 0x5F, 0x7E: true
  default: isLetter(byte) || isDigit(byte)
  }
}

/// Whether the byte may stand in a target. Control characters may not, nor characters that no URI has (RFC 3986
/// §2, appendix A).
func isTargetByte(_ byte: UInt8) -> Bool {
  switch byte {
  case 0...0x20, 0x22, 0x23, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D, 0x7F: false
  default: true
  }
}

/// The value of a hexadecimal digit; nil for anything else.
func hexDigit(_ byte: UInt8) -> UInt8? {
  switch byte {
  case 0x30...0x39: byte - 0x30
  case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
  default: nil
  }
}

private func lowercase(_ byte: UInt8) -> UInt8 { byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte }

/// The length of a field's value without the white space at its end (RFC 9112 §5).
func countWithoutSpaceAtEnd(_ line: borrowing Span<UInt8>) -> Int {
  var count = line.count
  while count > 0, line[count - 1] == 0x20 || line[count - 1] == 0x09 { count -= 1 }
  return count
}
