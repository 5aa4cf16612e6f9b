// SPDX-License-Identifier: MIT

/// A path to one value within a JSON value (RFC 6901).
public struct JSONPointer: Sendable, Equatable, CustomStringConvertible {
  /// The names of members and the indices of elements, unescaped, from the outside in. Without any it leads to
  /// the whole value.
  public var tokens: [String]

  public init(_ tokens: [String]) { self.tokens = tokens }

  /// Reads a text. Nil if it is neither empty nor starts with `/`, or has a `~` without `0` or `1` after it
  /// (RFC 6901 §3).
  public init?(_ text: String) {
    tokens = []
    guard !text.isEmpty else { return }
    let pieces = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard pieces[0].isEmpty else { return nil }
    for piece in pieces.dropFirst() {
      guard let token = Self.unescape(piece) else { return nil }
      tokens.append(token)
    }
  }

  public var description: String { tokens.reduce(into: "") { $0 += "/" + Self.escape($1) } }

  /// The pointer in the form that it has in JSON, without the quotation marks (RFC 6901 §5).
  package var json: [UInt8] {
    var writer = JSONWriter(capacity: 32)
    writer.string(description)
    return Array(writer.bytes.dropFirst().dropLast())
  }

  /// The form of `token` between two slashes: `~` becomes `~0`, and `/` becomes `~1`.
  public static func escape(_ token: String) -> String {
    guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
    var escaped = ""
    for scalar in token.unicodeScalars {
      switch scalar {
      case "~": escaped += "~0"
      case "/": escaped += "~1"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func unescape(_ piece: Substring.UTF8View) -> String? {
    guard piece.contains(UInt8(ascii: "~")) else { return String(Substring(piece)) }
    var token: [UInt8] = []
    var rest = piece
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "~") else {
        token.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "0"): token.append(byte)
      case UInt8(ascii: "1"): token.append(UInt8(ascii: "/"))
      default: return nil
      }
    }
    return String(decoding: token, as: UTF8.self)
  }
}
