// SPDX-License-Identifier: MIT

/// What tells one request from another: a hash of its method, path and body, kept in place of the request itself.
///
/// SHA-256 (FIPS 180-4), so that nobody can make two requests with one digest; signed with the client's ``DigestKey``, so
/// that nobody else can find out by trying what the request was.
public struct RequestDigest: Sendable, Hashable {
  private let words: HashWords

  /// The 32 bytes of the hash.
  package var bytes: [UInt8] { words.bytes }

  /// Takes what ``bytes`` gives; `nil` if it is not of that length.
  package init?(bytes: some Collection<UInt8>) {
    guard let words = HashWords(bytes: bytes) else { return nil }
    self.words = words
  }

  /// - Parameters:
  ///   - path: the decoded segments: however they were encoded, it is the same path.
  ///   - key: that of the client who asks; `nil` for a request that opens a session, which may come before the client has a
  ///     key, and again when it has one, and in whose body there is no secret: it says how the key is to be kept.
  public init(method: String, path: [String], body: [UInt8], key: DigestKey?) {
    var hash = SHA256()
    // Each part says first how long it is, so that no two requests give the same bytes.
    hash.update(counted: method)
    hash.update(UInt64(path.count))
    for segment in path { hash.update(counted: segment) }
    body.withUnsafeBytes { hash.update($0) }
    let plain = hash.finish()
    words = key?.sign(plain) ?? plain
  }
}
