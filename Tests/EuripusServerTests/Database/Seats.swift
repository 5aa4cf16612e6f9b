// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting

/// Seats of a hall, which are rows of a table. Each session has a list of those that it has booked.
final class Seats: ViewModel {
  struct Broken: Error {}

  let booked = Observable<[Int]>([], name: "booked")
  let notice = Observable("")
  private let hold: Blocking.Hold
  private var kept: DatabaseTransaction?

  init(_ hold: Blocking.Hold) { self.hold = hold }

  func book(_ seat: Int, _ database: DatabaseTransaction) throws {
    let count = try database.execute("UPDATE seats SET owner = 'somebody' WHERE id = ? AND owner IS NULL", seat)
    if count == 1 { booked.value.append(seat) }
    notice.value = count == 1 ? "" : "seat \(seat) is taken"
  }

  func bookAndFail(_ seat: Int, _ database: DatabaseTransaction) throws {
    try book(seat, database)
    throw Broken()
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
    default: try database.execute("")
    }
  }

  static let surface = Surface<Seats>(
    "seats", .value("booked", \.booked), .value("notice", \.notice),
    .action("book", Seats.book), .action("bookAndFail", Seats.bookAndFail), .action("count", Seats.count),
    .action("add", Seats.add), .action("move", Seats.move, takes: "from", "to"),
    .action("bookSlowly", Seats.bookSlowly), .action("never", Seats.never), .action("keep", Seats.keep),
    .action("useKept", Seats.useKept), .action("run", Seats.run))

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
    try TestServer([.hosting { Seats(hold) }, .hosting { Counter() }]) {
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
