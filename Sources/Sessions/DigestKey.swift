// SPDX-License-Identifier: MIT

import CNettle

/// What the digests of a client's requests are made with: its own key, which the server has only while the client asks.
///
/// A digest is kept with its session, in the store as well, and a request may carry a secret, such as a password that
/// somebody typed. Whoever has the store must not find that by trying what it may have been: without the client's key, of
/// which the store has a hash alone, no digest can be made. The client sends its key with each request, so a retry has the
/// same digest, after a restart too.
public struct DigestKey: Sendable {
  private let words: HashWords

  /// - Parameter clientKey: as the client sent it.
  public init(of clientKey: UnsafeRawBufferPointer) {
    var hash = SHA256()
    // Another hash of it than a `Credential`, which is kept.
    hash.update(counted: "digests of requests")
    hash.update(clientKey)
    words = hash.finish()
  }

  public init(of clientKey: String) {
    var clientKey = clientKey
    self = clientKey.withUTF8 { DigestKey(of: UnsafeRawBufferPointer($0)) }
  }

  /// The HMAC-SHA-256 (RFC 2104) of a hash.
  func sign(_ hash: HashWords) -> HashWords {
    var context = hmac_sha256_ctx()
    var digest: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
    withUnsafeBytes(of: words) { key in
      nettle_hmac_sha256_set_key(&context, key.count, key.bindMemory(to: UInt8.self).baseAddress)
    }
    withUnsafeBytes(of: hash) { hash in
      nettle_hmac_sha256_update(&context, hash.count, hash.bindMemory(to: UInt8.self).baseAddress)
    }
    withUnsafeMutableBytes(of: &digest) { digest in
      nettle_hmac_sha256_digest(&context, digest.count, digest.bindMemory(to: UInt8.self).baseAddress)
    }
    return HashWords(digest.0, digest.1, digest.2, digest.3)
  }
}
