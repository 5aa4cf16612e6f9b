// SPDX-License-Identifier: MIT

/// The hash of a client's key, which is all that the server keeps of it.
///
/// SHA-256 without salt: the key is 256 random bits, not a password.
public typealias Credential = Digest

extension Digest {
  /// The credential of a key, as the client sent it.
  public init(hashing key: String) {
    var hash = SHA256()
    hash.update(key)
    self = hash.finish()
  }

  /// A part of it in digits, by which the client is known where that is no secret: of the key it tells nothing.
  var name: String { bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: "-") }
}
