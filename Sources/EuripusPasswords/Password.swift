// SPDX-License-Identifier: MIT
import CSodium

/// Hashes of passwords, to keep in the place of the passwords: Argon2id (RFC 9106) by libsodium.
///
/// ```swift
/// let hash = try await Password.hash(typed)
/// if try await Password.matches(typed, hash) { … }
/// ```
///
/// A hash takes 64 MiB and a tenth of a second, so that nobody tries many. It is made on a thread of its own: no session
/// stands still for it where a command makes it. Two are made at once in a process, and sixty may wait. How often a name
/// may be tried is the app's affair.
public enum Password {
  private static let turns = HashingTurns()
  private static let isReady = sodium_init() >= 0

  /// The hash of a password, a text of ASCII of at most 127 characters. It says with which salt and at which cost it was
  /// made, and is another one each time.
  ///
  /// - Parameters:
  ///   - password: of any length and any characters. Two spellings of one letter in Unicode are two passwords.
  ///   - cost: the work that each try takes.
  /// - Throws: ``PasswordError/busy``, and ``PasswordError/noMemory``.
  public static func hash(_ password: String, cost: PasswordCost = .standard) async throws(PasswordError) -> String {
    let hash = try await turns.run { () -> String? in
      guard isReady else { return nil }
      var text = [CChar](repeating: 0, count: crypto_pwhash_strbytes())
      let status = crypto_pwhash_str(&text, password, UInt64(password.utf8.count), cost.operations, cost.memory)
      return status == 0 ? String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
    guard let hash else { throw .noMemory }
    return hash
  }

  /// Whether a hash was made of a password.
  ///
  /// Where nobody has the name, compare with any hash all the same: an answer that comes sooner says that nobody has it.
  ///
  /// - Throws: ``PasswordError/busy``, and ``PasswordError/notAHash`` for a text that ``hash(_:cost:)`` cannot have given.
  public static func matches(_ password: String, _ hash: String) async throws(PasswordError) -> Bool {
    guard cost(of: hash, is: .standard) != nil else { throw .notAHash }
    return try await turns.run {
      isReady && crypto_pwhash_str_verify(hash, password, UInt64(password.utf8.count)) == 0
    }
  }

  /// Whether a hash was made at another cost. After the next sign-in, when the password is known, it is to be made anew.
  ///
  /// - Throws: ``PasswordError/notAHash``
  public static func needsRehash(_ hash: String, cost: PasswordCost = .standard) throws(PasswordError) -> Bool {
    guard let isSame = self.cost(of: hash, is: cost) else { throw .notAHash }
    return !isSame
  }

  /// Whether a hash was made at a cost; `nil` for a text that is none.
  private static func cost(of hash: String, is cost: PasswordCost) -> Bool? {
    switch crypto_pwhash_str_needs_rehash(hash, cost.operations, cost.memory) {
    case 0: true
    case 1: false
    default: nil
    }
  }
}

/// The work of making a hash, and of each try at it.
public struct PasswordCost: Sendable {
  let operations: UInt64
  /// The bytes that a hash takes while it is made.
  let memory: Int

  /// 64 MiB of memory, and about a tenth of a second: for people who sign in.
  public static let standard = PasswordCost(
    operations: UInt64(crypto_pwhash_opslimit_interactive()), memory: crypto_pwhash_memlimit_interactive())
  /// 256 MiB, and most of a second: where people sign in seldom, and much depends on it.
  public static let high = PasswordCost(
    operations: UInt64(crypto_pwhash_opslimit_moderate()), memory: crypto_pwhash_memlimit_moderate())
  /// The least that libsodium takes: for tests, and for nothing else.
  public static let least = PasswordCost(
    operations: UInt64(crypto_pwhash_opslimit_min()), memory: crypto_pwhash_memlimit_min())
}

/// The reason why a password was not hashed, or not compared.
public enum PasswordError: Error, Equatable, CustomStringConvertible {
  /// Too many wait already. It is to be tried again, some seconds later.
  case busy
  /// The system has no memory for it.
  case noMemory
  /// The text is no hash of this kind.
  case notAHash

  public var description: String {
    switch self {
    case .busy: "too many passwords wait to be hashed; expected another try, some seconds later"
    case .noMemory: "there is no memory for the hash of a password"
    case .notAHash: "the text is no hash of a password; expected one that begins with $argon2"
    }
  }
}
