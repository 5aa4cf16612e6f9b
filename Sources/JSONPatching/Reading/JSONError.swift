// SPDX-License-Identifier: MIT

/// The reason why a text is not JSON, or exceeds the limits.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The place, in bytes from the start of the text. It is the length of the text if that ended too early.
  public let offset: Int
  /// The text that could have stood there, in words.
  public let expected: String
  /// The text that stood there, in words. It shows one byte at most, since a longer piece might be a secret.
  public let found: String

  public init(offset: Int, expected: String, found: String) {
    self.offset = offset
    self.expected = expected
    self.found = found
  }

  public var description: String { "at byte \(offset): expected \(expected), found \(found)" }
}

extension JSONError {
  /// An error whose `found` names the byte at `offset`.
  init(_ expected: String, at offset: Int, in bytes: [UInt8]) {
    self.offset = offset
    self.expected = expected
    guard offset < bytes.count else {
      found = "the end"
      return
    }
    let byte = bytes[offset]
    found =
      switch byte {
      case 0x21...0x7E: "'\(Unicode.Scalar(byte))'"
      case 0x20: "a space"
      default: "byte 0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
  }
}
