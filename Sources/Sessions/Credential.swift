// SPDX-License-Identifier: MIT

import CNettle

/// The hash of a client's key, which is all that the server keeps of it.
///
/// SHA-256 without salt: the key is 256 random bits, not a password.
public struct Credential: Sendable, Hashable {
  private let words: HashWords

  /// The 32 bytes of the hash.
  package var bytes: [UInt8] { words.bytes }

  /// Takes what ``bytes`` gives; `nil` if it is not of that length.
  package init?(bytes: some Collection<UInt8>) {
    guard let words = HashWords(bytes: bytes) else { return nil }
    self.words = words
  }

  /// The hash of a key, as the client sent it.
  public init(hashing key: UnsafeRawBufferPointer) {
    var hash = SHA256()
    hash.update(key)
    words = hash.finish()
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

  public func hash(into hasher: inout Hasher) { hasher.combine(words.first) }
}
