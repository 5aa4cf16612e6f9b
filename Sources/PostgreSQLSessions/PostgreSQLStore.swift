// SPDX-License-Identifier: MIT
import Locking
import Sessions

/// Sessions in a PostgreSQL database, for one server or several.
///
/// Each opening of the store is a node, with a number, its boot, which is in `euripus_nodes`. A claim is the boot of the node
/// that made it, and a number that the store counts up with each claim on the session. What is committed by an earlier
/// claim is not taken: each statement that writes a session asks in its `WHERE` for the last one.
///
/// A connection that broke is made again with the next call. The first thing said on it is that this node is there: if
/// another one has its boot, which a failover to a standby that was behind can bring about, every claim of this node is void,
/// and it gets another boot.
// @unchecked Sendable: a store is called by one thread at a time (SessionStore), and what others ask has a lock.
package final class PostgreSQLStore: OperatedStore, SharedSessionStore, @unchecked Sendable {
  typealias Statements = PostgreSQLStatements
  typealias Step = PostgreSQLConnection.Step
  typealias Answer = PostgreSQLConnection.Answer

  /// This opening, as `euripus_nodes` has it.
  struct Opening: Sendable {
    let boot: UInt64
    /// Tells it from another node that got the same boot.
    let token: String
    let name: String
  }

  enum Use {
    case none
    /// It only looks.
    case inspection
    case owner(Opening)
  }

  /// The server and its database, for a person: without a password.
  package let place: String
  let address: String
  var use = Use.none {
    didSet { if case .owner(let opening) = use { lastOpening.withLock { $0 = opening } } }
  }
  var connection: PostgreSQLConnection?
  /// Whether commits on the connection wait for the disk, and for a standby if there is one.
  var isSyncing = true
  /// The last session that was looked at for expiry.
  var lookedAt = ""
  private let lastOpening = Locked<Opening?>(nil)
  /// The URL at which other nodes reach this one; `nil` if they cannot.
  let nodeURL: String?
  /// The latest schema that this node knows of each view model; `nil` if it takes all sessions.
  let schemas = Locked<[String: UInt32]?>(nil)
  /// The others, as the connection of the node's signs sees them.
  let watch = Locked(NodeWatch())
  /// Whether the row of this node was not found when it gave a sign: the next call looks after it.
  let isMissing = Locked(false)
  var presence: PostgreSQLConnection?

  /// - Parameters:
  ///   - address: a URL, `postgres://user@host/database`, or libpq's keywords
  ///     (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
  ///   - nodeURL: where other servers that have the store reach this one; `nil` if they cannot.
  package init(_ address: String, nodeURL: String? = nil) {
    self.address = address
    self.nodeURL = nodeURL
    place = Self.place(address)
  }

  package var boot: UInt64 { lastOpening.withLock { $0?.boot ?? 0 } }
  package var token: String? { lastOpening.withLock { $0?.token } }

  package func close() {
    // Others take its sessions at once. If that is not to be, they wait until it has given no sign for long.
    if nodeURL != nil, case .owner(let opening) = use, let connection {
      _ = try? connection.run([(Statements.leave, [.number(opening.boot), .text(opening.token)])])
    }
    (connection, use) = (nil, .none)
  }

  /// Whether an address is one of PostgreSQL's, and no path of a file.
  package static func isAddress(_ address: String) -> Bool {
    if address.hasPrefix("postgres://") || address.hasPrefix("postgresql://") { return true }
    return ["host", "hostaddr", "port", "dbname", "user", "service"].contains { address.hasPrefix($0 + "=") }
  }

  private static func place(_ address: String) -> String {
    guard let parts = PostgreSQLConnection.parts(of: address) else { return "of PostgreSQL" }
    let host = parts["host"] ?? parts["hostaddr"] ?? "this machine"
    let port = parts["port"].map { ":\($0)" } ?? ""
    return "'\(parts["dbname"] ?? parts["service"] ?? parts["user"] ?? "postgres")' on \(host)\(port)"
  }

  // MARK: Asking

  /// Has steps done in one transaction. All that a store asks for comes to the same if it is done twice: so it is asked
  /// again, once, where a connection turns out to have broken meanwhile.
  ///
  /// - Parameter survivesPowerCut: whether the commit waits for the disk, and for a standby if there is one; `nil` where it does not
  ///   matter.
  func run(_ steps: [Step], survivesPowerCut: Bool? = nil) throws(PostgreSQLFailure) -> [Answer] {
    if steps.isEmpty { return [] }
    let (isFresh, before) = (connection == nil, boot)
    do throws(PostgreSQLFailure) {
      return try attempt(steps, survivesPowerCut)
    } catch {
      if isFresh || !error.endsConnection { throw error }
    }
    _ = try connected()
    // The steps may have the boot of before in them.
    if boot != before {
      throw PostgreSQLFailure(state: PostgreSQLFailure.anotherBoot, message: "this node has another number")
    }
    return try attempt(steps, survivesPowerCut)
  }

  func run(
    _ statement: PostgreSQLConnection.Statement, _ values: [PostgreSQLConnection.Value],
    survivesPowerCut: Bool? = nil
  ) throws(PostgreSQLFailure) -> Answer {
    guard let answer = try run([(statement, values)], survivesPowerCut: survivesPowerCut).first else {
      throw .connection("no answer came")
    }
    return answer
  }

  private func attempt(_ steps: [Step], _ survivesPowerCut: Bool?) throws(PostgreSQLFailure) -> [Answer] {
    do throws(PostgreSQLFailure) {
      let connection = try connected()
      if let survivesPowerCut, survivesPowerCut != isSyncing {
        try connection.execute(["SET synchronous_commit = \(survivesPowerCut ? "on" : "off")"])
        isSyncing = survivesPowerCut
      }
      return try connection.run(steps)
    } catch {
      if error.endsConnection { connection = nil }
      throw error
    }
  }

  /// The connection, made anew if there is none.
  func connected() throws(PostgreSQLFailure) -> PostgreSQLConnection {
    if isMissing.withLock({ $0 }) { connection = nil }
    if let connection { return connection }
    let connection = try connect()
    switch use {
    case .none, .inspection: break
    case .owner(let opening):
      try connection.compile(Statements.all)
      let isPresent = try connection.run([
        (Statements.present, [.number(opening.boot), .text(opening.token), nodeURL.map { .text($0) } ?? .null])
      ])
      if isPresent.first?.affected != 1 {
        use = .owner(try register(connection, as: opening.name, after: opening.boot))
      }
    }
    isMissing.withLock { $0 = false }
    self.connection = connection
    return connection
  }

  /// The error of a store that was not opened, or is closed.
  func checkOpen() throws(StoreError) {
    if case .none = use {
      throw StoreError(.stopped, "the session store \(place) is closed; expected it to be opened first")
    }
  }

  /// Does something, and says of a failure what it means.
  func explained<Result>(_ body: () throws(PostgreSQLFailure) -> Result) throws(StoreError) -> Result {
    do throws(PostgreSQLFailure) { return try body() } catch { throw error.explained(place) }
  }
}

extension PostgreSQLConnection.Value {
  static func number(_ number: UInt64) -> Self { .integer(Int64(bitPattern: number)) }
  static func optional(_ bytes: [UInt8]?) -> Self { bytes.map { .blob($0) } ?? .null }
}
