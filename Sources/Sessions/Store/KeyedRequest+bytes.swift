// SPDX-License-Identifier: MIT

extension KeyedRequest {
  /// The digest, and the key after it.
  package var bytes: [UInt8] { digest.bytes + Array(key.description.utf8) }

  /// Reads the form of ``bytes``.
  package init?(bytes: [UInt8]) {
    guard let digest = Digest(bytes: bytes.prefix(32)),
      let text = String(validating: bytes.dropFirst(32), as: UTF8.self),
      let key = IdempotencyKey(text), key.description == text
    else { return nil }
    self.init(key: key, digest: digest)
  }
}
