// SPDX-License-Identifier: MIT
import CNettle
import ObservableCore

/// A SHA-256 hash of 32 bytes (FIPS 180-4). It is made by the library that the process has for TLS already
/// (Decisions/0005).
///
/// This is the one type for every hash that the server keeps: of a client's key (``Credential``), of an
/// idempotency key and of a request. Comparing two takes a time that does not depend on their contents.
package struct Digest: Sendable {
  // Four words are used instead of an array, because a digest is a key of tables and is copied often.
  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private var fourth: UInt64

  /// Reads the form of ``bytes``; `nil` if there are not 32 of them.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    func word(_ start: Int) -> UInt64 { bytes.dropFirst(start).prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
    (first, second, third, fourth) = (word(0), word(8), word(16), word(24))
  }

  /// The 32 bytes of the hash.
  package var bytes: [UInt8] {
    [first, second, third, fourth].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
  }

  /// The bytes as 64 lowercase hexadecimal digits.
  package var hex: String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}

extension Digest {
  /// The first eight bytes as a number, with the lowest byte first.
  var checksum: UInt64 { first.byteSwapped }
}

extension Digest {
  /// This digest with the first eight bytes of another one in place of its last eight. By them one can tell
  /// which the other was.
  package func marked(by other: Digest) -> Digest {
    var marked = self
    marked.fourth = other.first
    return marked
  }

  /// Whether the last eight bytes of both are the same.
  package func hasMark(of other: Digest) -> Bool { fourth == other.fourth }
}

extension Digest: Hashable {
  package static func == (left: Digest, right: Digest) -> Bool {
    let difference =
      (left.first ^ right.first) | (left.second ^ right.second) | (left.third ^ right.third)
      | (left.fourth ^ right.fourth)
    return difference == 0
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(first) }

  /// The order of the bytes.
  package static func precedes(_ left: Digest, _ right: Digest) -> Bool {
    (left.first, left.second, left.third, left.fourth) < (right.first, right.second, right.third, right.fourth)
  }
}

// MARK: Making

/// A hash that is made from parts, one after the other.
package struct SHA256 {
  private var context = sha256_ctx()

  package init() { nettle_sha256_init(&context) }

  package mutating func update(_ bytes: [UInt8]) { nettle_sha256_update(&context, bytes.count, bytes) }

  package mutating func update(_ text: String) { update(Array(text.utf8)) }

  /// Adds a number as eight bytes, with the lowest byte first.
  package mutating func update(_ number: UInt64) {
    update((0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }

  /// Adds the length of a text and then the text. So no two lists of texts give the same bytes.
  package mutating func update(counted text: String) {
    update(UInt64(text.utf8.count))
    update(text)
  }

  /// Adds the number of bytes and then the bytes.
  mutating func update(counted bytes: [UInt8]) {
    update(UInt64(bytes.count))
    update(bytes)
  }

  package mutating func finish() -> Digest {
    var bytes = [UInt8](repeating: 0, count: 32)
    nettle_sha256_digest(&context, bytes.count, &bytes)
    return Digest(whole: bytes)
  }
}

extension Digest {
  /// Takes exactly 32 bytes.
  fileprivate init(whole bytes: [UInt8]) {
    guard let digest = Digest(bytes: bytes) else { stopProgram(bug: "a SHA-256 hash of \(bytes.count) bytes") }
    self = digest
  }

  /// The HMAC-SHA-256 of this hash by a key (RFC 2104).
  package func signed(by key: Digest) -> Digest {
    var context = hmac_sha256_ctx()
    let (key, message) = (key.bytes, bytes)
    var digest = [UInt8](repeating: 0, count: 32)
    nettle_hmac_sha256_set_key(&context, key.count, key)
    nettle_hmac_sha256_update(&context, message.count, message)
    nettle_hmac_sha256_digest(&context, digest.count, &digest)
    return Digest(whole: digest)
  }
}
