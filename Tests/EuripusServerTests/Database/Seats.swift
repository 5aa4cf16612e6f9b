// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting

/// Seats of a hall, which are rows of a table. Each session has a list of those that it has booked.
final class Seats: ViewModel {
  struct Broken: Error {}

  let booked = Observable<[Int]>([], name: "booked")
  let notice = Observable("")
  private let holding = Observable(false)
  private let hold: Blocking.Hold
  private let context: SessionContext
  private var kept: DatabaseTransaction?

  init(_ hold: Blocking.Hold, _ context: SessionContext) {
    (self.hold, self.context) = (hold, context)
    holding.addObserver(Observer(self) { seats, isHeld in if isHeld { seats.hold.block() } })
  }

  func book(_ seat: Int, _ database: DatabaseTransaction) throws {
    let count = try database.execute("UPDATE seats SET owner = 'somebody' WHERE id = ? AND owner IS NULL", seat)
    if count == 1 { booked.value.append(seat) }
    notice.value = count == 1 ? "" : "seat \(seat) is taken"
  }

  func bookAndFail(_ seat: Int, _ database: DatabaseTransaction) throws {
    try book(seat, database)
    throw Broken()
  }

  struct NotForSale: PresentableError {
    let type = "not-for-sale"
    let detail = "no seat is for sale today"
  }

  func bookAndRefuse(_ seat: Int, _ database: DatabaseTransaction) throws {
    try book(seat, database)
    throw NotForSale()
  }

  func count(_ database: DatabaseTransaction) throws -> Int {
    try database.query("SELECT count(*) FROM seats WHERE owner IS NOT NULL", as: Int.self)[0]
  }

  /// Adds a seat, also one that there is already.
  func add(_ seat: Int, _ database: DatabaseTransaction) throws {
    do {
      try database.execute("INSERT INTO seats (id) VALUES (?)", seat)
      notice.value = "added"
    } catch  where error.kind == .constraint {
      try database.execute("UPDATE seats SET owner = NULL WHERE id = ?", seat)
      notice.value = "was there"
    }
  }

  func move(_ from: Int, _ to: Int, _ database: DatabaseTransaction) throws {
    try database.execute("UPDATE seats SET owner = NULL WHERE id = ?", from)
    try book(to, database)
    booked.value.removeAll { $0 == from }
  }

  /// Holds the database until the test lets it go on.
  func bookSlowly(_ seat: Int, _ database: DatabaseTransaction) throws {
    try book(seat, database)
    hold.block()
  }

  func never(_ database: DatabaseTransaction) throws {
    try database.execute("UPDATE seats SET owner = 'nobody'")
    let endless: SQLStatement = """
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers) SELECT count(*) FROM numbers
      """
    _ = try database.query(endless, as: Int.self)
  }

  func keep(_ database: DatabaseTransaction) { kept = database }

  func useKept() throws { try kept?.execute("DELETE FROM seats") }

  /// Goes on after a statement that has undone the whole transaction, and tells of it in words of its own.
  func goOn(_ wraps: Bool, _ database: DatabaseTransaction) throws {
    try book(7, database)
    do {
      try database.execute("INSERT OR ROLLBACK INTO seats (id) VALUES (7)")
    } catch {
      guard error.kind == .undone else { throw error }
      if wraps { throw Broken() }
    }
    _ = try? database.execute("UPDATE seats SET owner = 'nobody'")
  }

  /// Books a seat, and has an observer hold the session until the test lets it go on.
  func bookAndNotice(_ seat: Int, _ database: DatabaseTransaction) throws {
    try book(seat, database)
    holding.value = true
  }

  func endlessly(_ database: DatabaseTransaction) throws {
    do { try never(database) } catch { throw Broken() }
  }

  func closeDown(_ seat: Int, _ database: DatabaseTransaction) throws {
    try book(seat, database)
    try context.end()
  }

  func enter(_ seat: Int, _ database: DatabaseTransaction) throws {
    try book(seat, database)
    try context.signIn(User(id: "anna"))
  }

  /// Runs one of the statements that an app may not run, or that are wrong.
  func run(_ number: Int, _ database: DatabaseTransaction) throws {
    try database.execute("UPDATE seats SET owner = 'nobody'")
    switch number {
    case 0: try database.execute("COMMIT")
    case 1: try database.execute("DELETE FROM euripus_sessions")
    case 2: try database.execute("PRAGMA user_version = 99")
    case 3: try database.execute("DELETE FROM seats; DELETE FROM seats")
    case 4: try database.execute("DELETE FROM chairs")
    case 5: try database.execute("DELETE FROM seats WHERE id = ?")
    case 6: try database.execute("INSERT INTO guests VALUES (1, 999)")
    case 7: try database.execute("ALTER TABLE euripus_clients RENAME TO gone")
    case 8: _ = try database.query("SELECT credential FROM euripus_clients", as: [UInt8].self)
    case 9: try database.execute("CREATE TABLE chairs (id INTEGER)")
    case 10: try database.execute("CREATE TEMP TABLE euripus_sessions (id INTEGER)")
    case 11: try database.execute("DROP TRIGGER session_came")
    case 12: _ = try database.query("SELECT owner FROM seats", as: Int.self)
    default: try database.execute("")
    }
  }

  static let surface = Surface<Seats>(
    "seats", .value("booked", \.booked), .value("notice", \.notice),
    .action("book", Seats.book), .action("bookAndFail", Seats.bookAndFail),
    .action("bookAndRefuse", Seats.bookAndRefuse), .action("count", Seats.count),
    .action("add", Seats.add), .action("move", Seats.move, takes: "from", "to"),
    .action("bookSlowly", Seats.bookSlowly), .action("never", Seats.never), .action("keep", Seats.keep),
    .action("useKept", Seats.useKept), .action("run", Seats.run),
    .action("goOn", Seats.goOn), .action("bookAndNotice", Seats.bookAndNotice), .action("endlessly", Seats.endlessly),
    .action("closeDown", Seats.closeDown), .action("enter", Seats.enter))

  static let migrations = [
    Migration(
      1, "CREATE TABLE seats (id INTEGER PRIMARY KEY, owner TEXT) STRICT",
      """
      WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100)
        INSERT INTO seats SELECT n, NULL FROM numbers
      """),
    Migration(
      2,
      """
      CREATE TABLE guests (id INTEGER PRIMARY KEY, seat INTEGER REFERENCES seats (id) DEFERRABLE INITIALLY DEFERRED) STRICT
      """),
  ]
}

/// A server with a file, which can be started again.
final class Hall {
  let folder: PublicFolder
  let hold = Blocking.Hold()
  private(set) var server: TestServer
  var path: String { Self.path(folder) }

  /// - Parameter time: the time for which an action may hold the database. Nothing waits for it if it is long.
  init(time: Duration = .seconds(3_600)) throws {
    folder = try PublicFolder(["store/empty": ""])
    server = try Self.server(folder, hold, time: time)
  }

  private static func path(_ folder: PublicFolder) -> String { "\(folder.path)/store/sessions.db" }

  private static func server(
    _ folder: PublicFolder, _ hold: Blocking.Hold, migrations: [Migration] = Seats.migrations,
    time: Duration = .seconds(3_600)
  ) throws -> TestServer {
    try TestServer([.hosting { Seats(hold, $0) }, .hosting { Counter() }]) {
      $0.sessions.storage = .sqlite(path(folder))
      $0.sessions.migrations = migrations
      $0.sessions.databaseTime = time
      $0.stopTime()
    }
  }

  func restart(migrations: [Migration] = Seats.migrations) throws {
    server.stop()
    server = try Self.server(folder, hold, migrations: migrations)
  }
}
