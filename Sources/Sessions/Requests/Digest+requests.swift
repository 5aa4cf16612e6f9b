// SPDX-License-Identifier: MIT
package import Storing

/// The hashes that stand for requests and their keys.
extension Digest {
  /// The hash of an idempotency key's text, or of its name. It is all that a session keeps of either.
  init(counted text: String) {
    var hash = SHA256()
    hash.update(counted: text)
    self = hash.finish()
  }

  /// The hash of a request's method, path and body, which is kept in place of the request. Nobody can make two
  /// requests with one hash. Nobody without the client's key can find the request by trying.
  ///
  /// - Parameters:
  ///   - path: the decoded segments. However they were encoded, it is the same path.
  ///   - key: the ``requestKey(of:)`` of the client that asks; `nil` for a request that opens a session. Such a
  ///     request may come before the client has a key and again when it has one, and its body holds no secret.
  ///   - signer: the credential of that key. Its mark tells digests of one credential from those of another.
  package init(method: String, path: [String], body: [UInt8], key: Digest?, of signer: Credential? = nil) {
    var hash = SHA256()
    // Each part begins with its length, so no two requests give the same bytes.
    hash.update(counted: method)
    hash.update(UInt64(path.count))
    for segment in path { hash.update(counted: segment) }
    hash.update(body)
    let plain = hash.finish()
    let signed = key.map { plain.signed(by: $0) } ?? plain
    self = signer.map { signed.marked(by: $0) } ?? signed
  }

  /// The key by which the digests of a client's requests are made. It is another hash of the client's key than
  /// the ``Credential``, which is kept.
  ///
  /// A request may carry a secret, and its digest is kept in the store. A reader of the store must not find the
  /// secret by trying. So no digest can be made without the client's key, which the server has only while the
  /// client asks.
  ///
  /// - Parameter clientKey: the key as the client sent it.
  package static func requestKey(of clientKey: String) -> Digest {
    var hash = SHA256()
    hash.update(counted: "digests of requests")
    hash.update(clientKey)
    return hash.finish()
  }
}
