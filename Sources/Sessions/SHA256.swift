// SPDX-License-Identifier: MIT

import CNettle

/// SHA-256 (FIPS 180-4), from the library that the process has for TLS already (Decisions/0005).
struct SHA256 {
  private var context = sha256_ctx()

  init() { nettle_sha256_init(&context) }

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    nettle_sha256_update(&context, bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
  }

  mutating func update(_ number: UInt64) { withUnsafeBytes(of: number.littleEndian) { update($0) } }

  /// A text, after its length.
  mutating func update(counted text: String) {
    var text = text
    text.withUTF8 {
      update(UInt64($0.count))
      update(UnsafeRawBufferPointer($0))
    }
  }

  mutating func finish() -> HashWords {
    var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeMutableBytes(of: &digest) { bytes in
      nettle_sha256_digest(&context, bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
    }
    return HashWords(digest.0, digest.1, digest.2, digest.3)
  }
}
