// SPDX-License-Identifier: MIT
import EuripusApp
import Locking

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The users of the login demo, for all sessions of a server: `users.json`, with a hash of each one's password.
///
/// A name that nobody has goes to the first person who logs in with it. An actor, since to log in takes a while; the
/// hashes are made outside its turns (``HashingTurns``). A file that cannot be understood is reported and left as it
/// is, and then nobody is logged in.
public actor UserStore {
  static let file = "users.json"
  static let most = 10_000

  /// The accounts by name.
  private nonisolated let accounts: Locked<[String: Account]>
  private let isUsable: Bool
  private var attempts = LoginAttempts()
  private let hashing = HashingTurns()
  private let directory: StoreDirectory
  private let now: @Sendable () -> ContinuousClock.Instant
  private let log: @Sendable (String) -> Void

  /// Reads the users. Nothing is written, and the directory is not made, before the first login.
  ///
  /// - Parameters:
  ///   - now: the time of the waits after logins that failed.
  ///   - log: gets a line where something is wrong with the file.
  public init(
    directory path: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    log: @escaping @Sendable (String) -> Void
  ) {
    directory = StoreDirectory(path: path)
    self.now = now
    self.log = log
    do {
      accounts = Locked(try Self.read(directory))
      isUsable = true
    } catch {
      accounts = Locked([:])
      isUsable = false
      log("users in '\(path)': \(error); nobody can log in")
    }
  }

  private static func read(_ directory: StoreDirectory) throws -> [String: Account] {
    guard let bytes = try directory.read(file) else { return [:] }
    let json = try JSONReader.read(bytes, limits: JSONLimits(nodes: .max))
    let list = try [Account](json: json["users"] ?? .null)
    guard try Int(json: json["format"] ?? .null) == 1, Set(list.map(\.name)).count == list.count else {
      throw RecordingsError.corrupt(file: file, "expected format 1 and each name once")
    }
    return Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0) })
  }

  // MARK: Logging in

  /// The user with this name and this password; a new one if nobody has the name.
  ///
  /// - Parameters:
  ///   - client: the client that asks.
  ///   - network: the network that the client comes from; empty if it is not known.
  /// - Throws: ``LoginRefusal``.
  func logIn(_ name: String, _ password: String, from client: String, in network: String = "") async throws -> User {
    guard isUsable else { throw LoginRefusal.failed }
    try attempts.begin(name, from: client, in: network, at: now())
    do {
      let account = try await knownOrNew(name, password)
      attempts.succeed(name, from: client, in: network)
      return account.user
    } catch {
      if error as? LoginRefusal != .wrongPassword { attempts.takeBack(name, from: client, in: network) }
      throw error
    }
  }

  private func knownOrNew(_ name: String, _ password: String) async throws -> Account {
    if account(name) == nil {
      if accounts.withLock({ $0.count }) >= Self.most { throw LoginRefusal.full }
      guard let hash = try await hashing.run({ Passwords.hash(password) }) else { throw LoginRefusal.failed }
      // Somebody else may have taken the name meanwhile.
      if account(name) == nil { return try add(name, hash) }
    }
    guard let known = account(name) else { throw LoginRefusal.failed }
    guard try await hashing.run({ Passwords.verify(password, known.hash) }) else { throw LoginRefusal.wrongPassword }
    return known
  }

  private func add(_ name: String, _ hash: String) throws(LoginRefusal) -> Account {
    let id = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }.joined(separator: "-")
    let account = Account(id: id, name: name, since: Self.today, hash: hash)
    do { try save(account) } catch { throw .failed }
    return account
  }

  private static var today: String {
    var writer = JSONWriter()
    Date.now.write(to: &writer)
    // Without the quote and the time of day.
    return String(decoding: writer.bytes.dropFirst().prefix("2026-11-23".count), as: UTF8.self)
  }

  private nonisolated func account(_ name: String) -> Account? { accounts.withLock { $0[name] } }

  // MARK: Notes

  /// The note of a user; empty for a user that is gone.
  nonisolated func note(of user: User) -> String { account(user.name).map { $0.id == user.id ? $0.note : "" } ?? "" }

  /// Saves a user's note.
  func keep(_ note: String, of user: User) throws {
    guard isUsable, var account = account(user.name), account.id == user.id else { throw NoteNotKept() }
    account.note = note
    do { try save(account) } catch { throw NoteNotKept() }
  }

  /// Writes all users, one of them as it is to be, before anybody sees it.
  private func save(_ account: Account) throws(RecordingsError) {
    var all = accounts.withLock { $0 }
    all[account.name] = account
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("format")
    writer.integer(1)
    writer.key("users")
    all.values.sorted { $0.name < $1.name }.write(to: &writer)
    writer.endObject()
    do { try directory.write(writer.bytes, to: Self.file) } catch {
      log("users in '\(directory.path)': \(error)")
      throw error
    }
    accounts.withLock { $0 = all }
  }
}

/// A note that could not be saved.
struct NoteNotKept: PresentableError {
  var type: String { "note-not-kept" }
  var detail: String { "Your note could not be saved. Try again." }
}
