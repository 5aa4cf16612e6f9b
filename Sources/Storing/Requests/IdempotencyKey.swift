// SPDX-License-Identifier: MIT

/// A client's name for a request, so that the request takes effect once however often it arrives (PROTOCOL §4).
///
/// It has the form `name/n` if and only if digits follow its last slash. Otherwise it is a text. Quotation
/// marks around it are not part of it; with them it is a string of structured fields (RFC 9651 §3.3.3).
package enum IdempotencyKey: Sendable, Hashable, CustomStringConvertible {
  case text(String)
  /// - Parameter number: 1 for the first request of the name, and one more for each request that follows.
  case numbered(name: String, number: UInt64)

  /// The longest key, in bytes.
  package static let maxLength = 255

  /// Reads 1 to 255 visible ASCII characters. A key of the form `name/n` has a name that is not empty, and a
  /// number from 1 to 2^63 - 1 without leading zeros.
  package init?(_ field: String) {
    let text = Self.unquoted(field)
    guard (1...Self.maxLength).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      return nil
    }
    self = .text(String(text))
    guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
    let digits = text[text.utf8.index(after: slash)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
      return
    }
    let name = text[..<slash]
    guard !name.isEmpty, digits.utf8.first != UInt8(ascii: "0"), let number = Int64(digits) else { return nil }
    self = .numbered(name: String(name), number: UInt64(number))
  }

  /// The text inside quotation marks, if it contains no quotation mark and no escape. Otherwise the whole
  /// field.
  private static func unquoted(_ field: String) -> Substring {
    let mark = UInt8(ascii: "\"")
    let bytes = field.utf8
    guard bytes.count >= 2, bytes.first == mark, bytes.last == mark else { return field[...] }
    let inner = field[bytes.index(after: bytes.startIndex)..<bytes.index(before: bytes.endIndex)]
    return inner.utf8.contains { $0 == mark || $0 == UInt8(ascii: "\\") } ? field[...] : inner
  }

  package var description: String {
    switch self {
    case .text(let text): text
    case .numbered(let name, let number): "\(name)/\(number)"
    }
  }
}
