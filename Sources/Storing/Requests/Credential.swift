// SPDX-License-Identifier: MIT

/// The hash of a client's key, which is all that the server keeps of it.
///
/// SHA-256 without salt: the key is 256 random bits, not a password.
package typealias Credential = Digest

extension Digest {
  /// The credential of a key, as the client sent it.
  package init(hashing key: String) {
    var hash = SHA256()
    hash.update(key)
    self = hash.finish()
  }

  /// The owner of the sessions that are a user's own.
  package static func ofUser(_ id: String) -> Credential { Credential(hashing: "user\u{0}\(id)") }

  /// The owner of a room: of the session on a view model that all clients share which open it with these parameters.
  ///
  /// - Parameter params: a text that is the same for the same parameters.
  package static func ofRoom(_ model: String, _ params: String) -> Credential {
    Credential(hashing: "room\u{0}\(model)\u{0}\(params)")
  }

  /// A part of the digest in hexadecimal digits. It names the client where names are no secret, and tells
  /// nothing about the key.
  package var name: String { bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: "-") }
}
