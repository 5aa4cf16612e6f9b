// SPDX-License-Identifier: MIT
import CNettle

/// The hash of a client's key, which is all that the server keeps of it.
///
/// SHA-256 (FIPS 180-4) without salt: the key is 256 random bits, not a password.
public struct Credential: Sendable, Hashable {
  private let words: (UInt64, UInt64, UInt64, UInt64)

  /// The hash of a key, as the client sent it.
  public init(hashing key: UnsafeRawBufferPointer) {
    var context = sha256_ctx()
    var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    nettle_sha256_init(&context)
    nettle_sha256_update(&context, key.count, key.bindMemory(to: UInt8.self).baseAddress)
    withUnsafeMutableBytes(of: &digest) { bytes in
      nettle_sha256_digest(&context, bytes.count, bytes.bindMemory(to: UInt8.self).baseAddress)
    }
    words = digest
  }

  public init(hashing key: String) {
    var key = key
    self = key.withUTF8 { Credential(hashing: UnsafeRawBufferPointer($0)) }
  }

  /// Compares in a time that does not depend on the contents.
  public static func == (left: Credential, right: Credential) -> Bool {
    withUnsafeBytes(of: left.words) { left in
      withUnsafeBytes(of: right.words) { right in
        nettle_memeql_sec(left.baseAddress, right.baseAddress, left.count) != 0
      }
    }
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(words.0) }
}
