// SPDX-License-Identifier: MIT
import CSodium

/// Hashes of passwords by libsodium: Argon2id with a salt of its own in each.
struct Passwords {
  private static let isReady = sodium_init() >= 0

  let operations: UInt64
  /// The bytes that a hash takes while it is made.
  let memory: Int

  /// 64 MiB of memory, and about a tenth of a second.
  static let standard = Passwords(
    operations: UInt64(crypto_pwhash_opslimit_interactive()), memory: crypto_pwhash_memlimit_interactive())
  /// The least that libsodium takes, for tests that are not about hashes.
  static let quick = Passwords(operations: UInt64(crypto_pwhash_opslimit_min()), memory: crypto_pwhash_memlimit_min())

  /// The hash as a text, which says with which salt and at which cost it was made; `nil` if there is no memory for it.
  func hash(_ password: String) -> String? {
    guard Self.isReady else { return nil }
    var text = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
    let status = crypto_pwhash_str(
      &text, password, UInt64(password.utf8.count), operations, memory)
    return status == 0 ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  /// Whether the password is the one that the hash was made of.
  static func verify(_ password: String, _ hash: String) -> Bool {
    isReady && crypto_pwhash_str_verify(hash, password, UInt64(password.utf8.count)) == 0
  }
}
