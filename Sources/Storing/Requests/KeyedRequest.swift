// SPDX-License-Identifier: MIT

/// A request that takes effect once.
package struct KeyedRequest: Sendable {
  package let key: IdempotencyKey
  package let digest: Digest
  /// Whether the digest has the mark of the credential that it was made with. Digests with different marks
  /// cannot be compared.
  package let isMarked: Bool
  /// The client that the key is of; `nil` for the session's owner.
  package var client: Credential?

  package init(key: IdempotencyKey, digest: Digest, isMarked: Bool = false) {
    self.key = key
    self.digest = digest
    self.isMarked = isMarked
  }
}

extension KeyedRequest: Equatable {
  package static func == (left: KeyedRequest, right: KeyedRequest) -> Bool {
    left.key == right.key && left.digest == right.digest && left.client == right.client
  }
}

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
