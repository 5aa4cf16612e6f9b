// SPDX-License-Identifier: MIT

/// The source of handles, keys and epochs: the system's generator, or the one of a test.
package struct Randomness: Sendable {
  private let fill: @Sendable (Int) -> [UInt8]

  /// - Parameter fill: gives that many random bytes.
  package init(_ fill: @escaping @Sendable (Int) -> [UInt8]) { self.fill = fill }

  package static let system = Randomness { count in
    var generator = SystemRandomNumberGenerator()
    return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Random bytes in base64url without padding (RFC 4648 §5): 16 bytes give 22 characters, 32 give 43.
  func base64URL(bytes: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var text: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    for byte in fill(bytes) {
      buffer = buffer << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(buffer >> UInt32(bits)) & 63])
      }
    }
    if bits > 0 { text.append(alphabet[Int(buffer << UInt32(6 - bits)) & 63]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// Whether a text has the form of ``base64URL(bytes:)``.
  static func isBase64URL(_ text: String, bytes: Int) -> Bool {
    text.utf8.count == (bytes * 8 + 5) / 6
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
          true
        default: false
        }
      }
  }

  /// Eight lower-case letters and digits: 40 random bits.
  package func word() -> String {
    let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
    return String(decoding: fill(8).map { alphabet[Int($0 & 31)] }, as: UTF8.self)
  }
}
