// SPDX-License-Identifier: MIT

/// An error in the bytes of a stored record: the place, and what was expected there.
package struct StoredBytesError: Error, Equatable, CustomStringConvertible {
  package let expected: String
  package let offset: Int

  package var description: String { "expected \(expected) at byte \(offset)" }
}

/// Writes the parts of a byte form one after the other.
///
/// A number is in LEB128: seven bits a byte, the lowest first. A text or a string of bytes follows its length.
struct StoredBytesWriter {
  private(set) var bytes: [UInt8] = []

  mutating func byte(_ byte: UInt8) { bytes.append(byte) }

  mutating func number(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func fixed(_ part: [UInt8]) { bytes += part }

  mutating func counted(_ part: some Collection<UInt8>) {
    number(UInt64(part.count))
    bytes += part
  }

  mutating func text(_ text: String) { counted(text.utf8) }
}

/// Reads the bytes of ``StoredBytesWriter``. It never reads past their end, whatever they are.
struct StoredBytesReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: [UInt8]) {
    self.bytes = bytes[...]
    position = 0
  }

  /// - Returns: the error for bytes that differ from the expected ones.
  func refuse(_ expected: String) -> StoredBytesError { StoredBytesError(expected: expected, offset: position) }

  mutating func byte(_ what: String) throws(StoredBytesError) -> UInt8 {
    guard position < bytes.endIndex else { throw refuse(what) }
    position += 1
    return bytes[position - 1]
  }

  mutating func number(_ what: String) throws(StoredBytesError) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let byte = try byte(what)
      // The tenth byte has only the one bit that is left.
      guard shift < 63 || byte <= 1 else { throw refuse(what) }
      number |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    throw refuse(what)
  }

  mutating func fixed(_ count: Int, _ what: String) throws(StoredBytesError) -> ArraySlice<UInt8> {
    guard count <= bytes.endIndex - position else { throw refuse(what) }
    defer { position += count }
    return bytes[position..<position + count]
  }

  mutating func counted(_ what: String) throws(StoredBytesError) -> ArraySlice<UInt8> {
    let count = try number("the length of \(what)")
    guard let count = Int(exactly: count) else { throw refuse("the length of \(what)") }
    return try fixed(count, what)
  }

  mutating func text(_ what: String) throws(StoredBytesError) -> String {
    let start = position
    guard let text = String(validating: try counted(what), as: UTF8.self) else {
      throw StoredBytesError(expected: "\(what) in UTF-8", offset: start)
    }
    return text
  }

  func end() throws(StoredBytesError) {
    guard position == bytes.endIndex else { throw refuse("the end") }
  }
}
