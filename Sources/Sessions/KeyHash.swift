// SPDX-License-Identifier: MIT

/// The hash of a key's text, or of its name, which is all that a session keeps of it: as long for every key.
///
/// SHA-256 (FIPS 180-4), so that nobody can make two keys with one hash.
struct KeyHash: Sendable, Hashable {
  private let words: HashWords

  init(_ text: String) {
    var hash = SHA256()
    hash.update(counted: text)
    words = hash.finish()
  }

  /// The 32 bytes of the hash.
  var bytes: [UInt8] { words.bytes }

  /// Takes what ``bytes`` gives; `nil` if it is not of that length.
  init?(bytes: some Collection<UInt8>) {
    guard let words = HashWords(bytes: bytes) else { return nil }
    self.words = words
  }

  /// In the order of the bytes.
  static func precedes(_ left: KeyHash, _ right: KeyHash) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
