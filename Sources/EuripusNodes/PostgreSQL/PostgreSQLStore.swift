// SPDX-License-Identifier: MIT
import Locking
import Storing

/// Sessions in a PostgreSQL database, for one server or several.
///
/// Each opening of the store is a node. Its number, the boot, is in `euripus_nodes`. A claim has two numbers: the
/// boot of the node that made it, and one that the store counts up with each claim on the session. A change under
/// an earlier claim is not taken: each statement that writes a session asks for the last claim in its `WHERE`.
///
/// A connection that broke is made again with the next call, and begins with a sign of this node. A failover to a
/// standby that was behind may have given the node's boot to another one. Then every claim of this node is void,
/// and it gets another boot.
// @unchecked Sendable: one thread at a time calls a store (SessionStore), and a lock guards the values that others
// read.
package final class PostgreSQLStore: OperatedStore, SharedSessionStore, @unchecked Sendable {
  typealias Statements = PostgreSQLStatements
  typealias Step = PostgreSQLConnection.Step
  typealias Answer = PostgreSQLConnection.Answer

  /// The row of this opening in `euripus_nodes`.
  struct Opening: Sendable {
    let boot: UInt64
    /// A text by which the node differs from another one that got the same boot.
    let token: String
    let name: String
  }

  enum Use {
    case none
    /// The store was opened only to look at it.
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
  /// The sessions that this node has put in of late. A database that crashes may lose them.
  var newSessions = NewSessions()
  /// The id of the last session that was looked at for expiry; empty before the first.
  var lookedAt = ""
  private let lastOpening = Locked<Opening?>(nil)
  /// The URL at which other nodes reach this one; `nil` if they cannot.
  let nodeURL: String?
  /// The latest schema that this node knows of each view model; `nil` if it takes all sessions.
  let schemas = Locked<[String: UInt32]?>(nil)
  /// The other nodes, as the connection of the node's signs sees them.
  let watch = Locked(NodeWatch())
  /// Whether a sign found no row of this node. A sign sets it, and the next call makes the connection anew.
  let isMissing = Locked(false)
  var presence: PostgreSQLConnection?
  /// The connections of an app's transactions.
  let pool: ConnectionPool

  /// - Parameters:
  ///   - address: a URL, `postgres://user@host/database`, or libpq's keywords
  ///     (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
  ///   - nodeURL: the URL at which other servers that have the store reach this one; `nil` if they cannot.
  package init(_ address: String, nodeURL: String? = nil) {
    self.address = address
    self.nodeURL = nodeURL
    place = Self.place(address)
    pool = ConnectionPool { () throws(PostgreSQLFailure) in try Self.connectForApp(address) }
  }

  package var boot: UInt64 { lastOpening.withLock { $0?.boot ?? 0 } }
  package var token: String? { lastOpening.withLock { $0?.token } }

  package func close() {
    // Then the others take its sessions at once. If it fails, they wait until this node has given no sign for long
    // enough.
    if nodeURL != nil, case .owner(let opening) = use, let connection {
      _ = try? connection.run([(Statements.leave, [.number(opening.boot), .text(opening.token)])])
    }
    (connection, use) = (nil, .none)
    pool.close()
  }

  /// Whether a text is an address that libpq can read. A text without a keyword is a path.
  package static func isAddress(_ address: String) -> Bool {
    address.contains("=") && PostgreSQLConnection.parts(of: address) != nil
  }

  private static func place(_ address: String) -> String {
    guard let parts = PostgreSQLConnection.parts(of: address) else { return "of PostgreSQL" }
    let host = parts["host"] ?? parts["hostaddr"] ?? "this machine"
    let port = parts["port"].map { ":\($0)" } ?? ""
    return "'\(parts["dbname"] ?? parts["service"] ?? parts["user"] ?? "postgres")' on \(host)\(port)"
  }

  // MARK: Asking

  /// Runs steps in one transaction.
  ///
  /// If the connection proves to have broken meanwhile, the steps run once more on a new one: all steps of a store
  /// come to the same if they are done twice.
  ///
  /// - Parameter survivesPowerCut: whether the commit waits for the disk, and for a standby if there is one; `nil`
  ///   where it does not matter.
  func run(_ steps: [Step], survivesPowerCut: Bool? = nil) throws(PostgreSQLFailure) -> [Answer] {
    if steps.isEmpty { return [] }
    let (isFresh, before) = (connection == nil, boot)
    do throws(PostgreSQLFailure) {
      return try attempt(steps, survivesPowerCut)
    } catch {
      if isFresh || !error.endsConnection { throw error }
    }
    _ = try connected()
    // The steps may have the earlier boot in them.
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
      if isPresent.first?.affected == 1 {
        try lookForLost(connection)
      } else {
        use = .owner(try register(connection, as: opening.name, after: opening.boot))
        newSessions = NewSessions()
      }
    }
    isMissing.withLock { $0 = false }
    self.connection = connection
    return connection
  }

  /// Looks which of the sessions that were put in last the database has lost. To be called on a new connection.
  private func lookForLost(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) {
    let ids = newSessions.doubtful
    if ids.isEmpty { return }
    let found = try connection.run([(Statements.findAll, [.ids(ids)])])
    newSessions.found(Set(found.flatMap { $0.rows.map { $0.text(0) } }))
  }

  /// Throws if the store was not opened, or is closed.
  func checkOpen() throws(StoreError) {
    if case .none = use {
      throw StoreError(.stopped, "the session store \(place) is closed; expected it to be opened first")
    }
  }

  /// Runs `body`. Throws its failure as an error that explains it to people.
  func explained<Result>(_ body: () throws(PostgreSQLFailure) -> Result) throws(StoreError) -> Result {
    do throws(PostgreSQLFailure) { return try body() } catch { throw error.explained(place) }
  }
}

extension PostgreSQLConnection.Value {
  static func number(_ number: UInt64) -> Self { .integer(Int64(bitPattern: number)) }
  static func optional(_ bytes: [UInt8]?) -> Self { bytes.map { .blob($0) } ?? .null }
}
