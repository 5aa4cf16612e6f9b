// SPDX-License-Identifier: MIT
@testable import Sessions
import Testing

@testable import Storing

@Suite struct `The digest of a request` {
  private func digest(
    _ method: String = "POST", _ path: [String] = ["actions", "\u{e9}"], _ body: String = "\"hunter2\"",
    key: String? = "the client's key"
  ) -> [UInt8] {
    Digest(method: method, path: path, body: Array(body.utf8), key: key.map { Digest.requestKey(of: $0) }).bytes
  }

  @Test func `is an HMAC by the client's key`() {
    // Python's hmac and hashlib computed this from the bytes that the sources describe.
    #expect(
      digest().map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        == "0e6e2cca5f0b299ec52635a1a0c21c077f507d550c7d590dbee0004df109ac8d")
  }

  @Test func `differs with the client, the method, the path and the body, and with where one of them ends`() {
    let digests = [
      digest(), digest(key: "another's key"), digest(key: nil), digest("PUT"), digest("POST", ["actions"]),
      digest("POST", ["action", "s\u{e9}"]), digest("POST", ["actions", "\u{e9}", ""]),
      digest("POST", ["actions", "\u{e9}", "\"hunter2\""], ""), digest("POST", ["actions", "\u{e9}"], ""),
    ]
    #expect(Set(digests).count == digests.count)
    #expect(digest() == digest())
  }

  /// A reader of the store has the stored part of a client's key, and must not be able to make digests with it.
  @Test func `is not made with the stored part of the key`() throws {
    let credential = Credential(hashing: "the client's key").bytes
    let key = try #require(Digest(bytes: credential))
    let other = Digest(method: "POST", path: ["actions", "\u{e9}"], body: Array("\"hunter2\"".utf8), key: key)
    #expect(digest() != other.bytes)
  }
}
