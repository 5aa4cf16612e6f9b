// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusPasswords
import Locking

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The users of the login demo, for all sessions of a server: `users.json`, with a hash of each one's password.
///
/// A name that nobody has goes to the first person who logs in with it. One network gets few new names a day. Where all
/// places are taken, a new user gets that of the one who was longest away, if that one has no note and did not come for
/// a month. An actor, since to log in takes a while; the
/// hashes are made outside its turns (``Password``). A file that cannot be understood is reported and left as it
/// is, and then nobody is logged in.
public actor UserStore {
  static let file = "users.json"
  static let most = 10_000
  static let daysAway = 30

  /// The accounts by name.
  private nonisolated let accounts: Locked<[String: Account]>
  private let isUsable: Bool
  private var attempts = LoginAttempts()
  private let cost: PasswordCost
  private let directory: StoreDirectory
  private let now: @Sendable () -> ContinuousClock.Instant
  /// The present day, in days since 1970.
  private let day: @Sendable () -> Int
  private var newUsers = NewUsers()
  private let log: @Sendable (String) -> Void

  /// Reads the users. Nothing is written, and the directory is not made, before the first login.
  ///
  /// - Parameters:
  ///   - now: the time of the waits after logins that failed.
  ///   - day: the present day, in days since 1970; `nil` for that of the wall clock, in UTC.
  ///   - log: gets a line where something is wrong with the file.
  public init(
    directory path: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    day: (@Sendable () -> Int)? = nil, log: @escaping @Sendable (String) -> Void
  ) {
    self.init(directory: path, now: now, day: day, cost: .standard, log: log)
  }

  /// - Parameter cost: that of a new hash.
  init(
    directory path: String, now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
    day: (@Sendable () -> Int)? = nil, cost: PasswordCost, log: @escaping @Sendable (String) -> Void
  ) {
    self.cost = cost
    directory = StoreDirectory(path: path)
    self.now = now
    self.day = day ?? { Int(Date.now.timeIntervalSince1970) / 86_400 }
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
    let isKnown = account(name)?.knows(client) ?? false
    try attempts.begin(name, from: client, in: network, isKnown: isKnown, at: now())
    do {
      let account = try await knownOrNew(name, password, in: network)
      attempts.succeed(name, from: client, in: network)
      return noteLogin(of: account, by: client).user
    } catch {
      if error as? LoginRefusal != .wrongPassword { attempts.takeBack(name, from: client, in: network) }
      throw error
    }
  }

  private func knownOrNew(_ name: String, _ password: String, in network: String) async throws -> Account {
    if account(name) == nil {
      try checkRoom(in: network)
      let hash: String
      do { hash = try await Password.hash(password, cost: cost) } catch { throw LoginRefusal(error) }
      // Somebody else may have taken the name meanwhile, or the last place.
      if account(name) == nil {
        try checkRoom(in: network)
        return try add(name, hash, in: network)
      }
    }
    guard let known = account(name) else { throw LoginRefusal.failed }
    let isRight: Bool
    do { isRight = try await Password.matches(password, known.hash) } catch { throw LoginRefusal(error) }
    if !isRight { throw LoginRefusal.wrongPassword }
    return known
  }

  private func add(_ name: String, _ hash: String, in network: String) throws(LoginRefusal) -> Account {
    let id = (0..<2).map { _ in String(UInt64.random(in: 0...UInt64.max), radix: 36) }.joined(separator: "-")
    let account = Account(id: id, name: name, since: Self.today, hash: hash, usedOn: day())
    do { try save(account, inPlaceOf: isFull ? longestAway : nil) } catch { throw .failed }
    newUsers.add(network, on: day())
    return account
  }

  /// Notes the login of a client. It counts where the note cannot be written, too: that is in the log.
  private func noteLogin(of account: Account, by client: String) -> Account {
    // The note may have changed while the password was looked at.
    guard var used = self.account(account.name), used.id == account.id else { return account }
    used.use(by: client, on: day())
    if used != self.account(account.name) { try? save(used) }
    return used
  }

  // MARK: Room for new users

  private var isFull: Bool { accounts.withLock { $0.count } >= Self.most }

  /// The user who may make room for another. O(users).
  private var longestAway: String? {
    let latest = day() - Self.daysAway
    let away = accounts.withLock { $0.values.filter { $0.note.isEmpty && $0.usedOn < latest } }
    return away.min { ($0.usedOn, $0.name) < ($1.usedOn, $1.name) }?.name
  }

  private func checkRoom(in network: String) throws(LoginRefusal) {
    try newUsers.check(network, on: day())
    if isFull, longestAway == nil { throw .full }
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
    account.usedOn = day()
    do { try save(account) } catch { throw NoteNotKept() }
  }

  /// Writes all users, one of them as it is to be, before anybody sees it.
  ///
  /// - Parameter gone: the name of a user who goes; `nil` for none.
  private func save(_ account: Account, inPlaceOf gone: String? = nil) throws(RecordingsError) {
    var all = accounts.withLock { $0 }
    if let gone { all[gone] = nil }
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
