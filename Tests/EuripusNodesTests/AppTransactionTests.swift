// SPDX-License-Identifier: MIT
import Locking
import StoreRules
import Storing
import Testing
import ViewModels

@testable import EuripusNodes

/// A transaction of PostgreSQL in which an app's own tables and a session are changed.
@Suite(.timeLimit(.minutes(30))) struct `A transaction of an app` {
  private let schema: TestSchema
  private let committer: Committer

  private static let migrations = [
    Migration(
      1, "CREATE TABLE seats (id bigint PRIMARY KEY, owner text)",
      "INSERT INTO seats (id) SELECT generate_series(1, 100)"),
    Migration(
      2, sqlite: ["not for this database"],
      postgreSQL: ["CREATE TABLE guests (seat bigint REFERENCES seats (id) DEFERRABLE INITIALLY DEFERRED)"]),
  ]

  init() throws {
    schema = try TestSchema()
    committer = try Self.committer(schema)
  }

  private static func committer(_ schema: TestSchema, _ steps: [Migration] = migrations) throws -> Committer {
    let store = PostgreSQLStore("\(schema.address) application_name=\(schema.name)")
    return try Committer(opening: store, as: "test", steps)
  }

  private func begin(for session: HeldSession) throws -> any StoreTransaction {
    try committer.begin(for: session, .relaxed, within: .zero)
  }

  /// Opens a session, which is in the store when this returns.
  private func open(_ id: String) async -> HeldSession {
    let claim = committer.newClaim()
    let number = Locked<UInt64>(0)
    let outcome = await withCheckedContinuation { answer in
      let change = StoreChange(id, claim, isNew: true, .record(record(id)))
      let given = committer.commit(change, .acknowledged) { answer.resume(returning: $0) }
      number.withLock { $0 = given }
    }
    #expect(outcome == .durable)
    return HeldSession(id, claim, lastNumber: number.withLock { $0 })
  }

  /// Ends the transaction with a change of its session.
  private func commit(_ session: HeldSession, _ transaction: any StoreTransaction) throws -> CommitOutcome {
    try transaction.seal()
    let change = StoreChange(session.id, session.claim, .record(record(session.id, 2)))
    return committer.commit(change, in: transaction).outcome
  }

  private func revision(_ id: String) throws -> Int64 {
    try schema.number("SELECT revision FROM euripus_sessions WHERE id = '\(id)'")
  }

  private func booked() throws -> Int64 { try schema.number("SELECT count(owner) FROM seats") }

  private static let book = "UPDATE seats SET owner = ? WHERE id = ? AND owner IS NULL"

  @Test func `commits rows and the session together`() async throws {
    let session = await open("a")
    let transaction = try begin(for: session)
    #expect(try transaction.run(Self.book, [.text("anna"), .integer(7)]).changes == 1)
    #expect(try booked() == 0)
    #expect(try commit(session, transaction) == .durable)
    #expect(try (booked(), revision("a")) == (1, 2))
  }

  @Test func `leaves nothing when it is rolled back`() async throws {
    let session = await open("a")
    let transaction = try begin(for: session)
    _ = try transaction.run(Self.book, [.text("anna"), .integer(7)])
    transaction.rollBack()
    #expect(try (booked(), revision("a")) == (0, 1))
    #expect(try commit(session, begin(for: session)) == .durable)
  }

  @Test(arguments: ["claim = claim + 1", "number = 0", "closed_until = 1"])
  func `does not begin for a session that is not in the store as its owner has it`(change: String) async throws {
    let session = await open("a")
    try schema.execute("UPDATE euripus_sessions SET \(change)")
    let failure = #expect(throws: DatabaseFailure.self) { try begin(for: session) }
    #expect(failure?.isOfSession == true)
  }

  @Test func `goes on after a statement that has failed`() async throws {
    let session = await open("a")
    let transaction = try begin(for: session)
    _ = try transaction.run(Self.book, [.text("anna"), .integer(7)])
    for _ in 0..<2 {
      let failure = #expect(throws: DatabaseFailure.self) {
        try transaction.run("INSERT INTO seats (id) VALUES (?)", [.integer(7)])
      }
      #expect(failure?.kind == .constraint)
      let wrong = #expect(throws: DatabaseFailure.self) { try transaction.run("SELECT chair FROM seats", []) }
      #expect(wrong?.kind == .statement)
    }
    _ = try transaction.run("INSERT INTO seats (id) VALUES (?)", [.integer(101)])
    #expect(try commit(session, transaction) == .durable)
    #expect(try (booked(), schema.number("SELECT count(*) FROM seats")) == (1, 101))
  }

  @Test func `gives values back as they were written`() async throws {
    let transaction = try begin(for: await open("a"))
    _ = try transaction.run("INSERT INTO seats VALUES (?, ?)", [.integer(-1), .text("it's ?\\")])
    let rows = try transaction.run(
      """
      SELECT id, owner, ?::int, ?::float8, ?::bytea, id < 0, NULL, sum(id) OVER (), ?::text FROM seats WHERE id < 0
      """, [.integer(5), .real(0.1), .blob([0, 10, 255]), .text("")])
    #expect(
      rows.rows == [
        [
          .integer(-1), .text("it's ?\\"), .integer(5), .real(0.1), .blob([0, 10, 255]), .integer(1), .null,
          .integer(-1),
          .text(""),
        ]
      ])
    #expect(rows.columns.prefix(2) == ["id", "owner"])
    #expect(rows.changes == 0)
  }

  @Test func `is undone if a rule that was put off does not hold at its end`() async throws {
    let transaction = try begin(for: await open("a"))
    _ = try transaction.run("INSERT INTO guests VALUES (?)", [.integer(999)])
    let failure = #expect(throws: DatabaseFailure.self) { try transaction.seal() }
    #expect(failure?.kind == .constraint)
    #expect(try schema.number("SELECT count(*) FROM guests") == 0)
  }

  /// Each of two looks whether the other's seat is free, and books its own.
  @Test func `is undone if it has read what another one has changed meanwhile`() async throws {
    let sessions = (await open("a"), await open("b"))
    let (first, second) = (try begin(for: sessions.0), try begin(for: sessions.1))
    let look = "SELECT owner FROM seats WHERE id = ?"
    for (transaction, seat) in [(first, 2), (second, 1)] {
      #expect(try transaction.run(look, [.integer(Int64(seat))]).rows == [[.null]])
    }
    _ = try first.run(Self.book, [.text("anna"), .integer(1)])
    #expect(try commit(sessions.0, first) == .durable)
    let kind: DatabaseFailure.Kind
    do {
      _ = try second.run(Self.book, [.text("bob"), .integer(2)])
      #expect(try commit(sessions.1, second).kind == .conflict)
      kind = .conflict
    } catch let error as DatabaseFailure { kind = error.kind }
    #expect(kind == .conflict)
    #expect(try (booked(), revision("b")) == (1, 1))
  }

  @Test func `does not conflict with one that books another seat`() async throws {
    let sessions = (await open("a"), await open("b"))
    let (first, second) = (try begin(for: sessions.0), try begin(for: sessions.1))
    _ = try first.run(Self.book, [.text("anna"), .integer(1)])
    _ = try second.run(Self.book, [.text("bob"), .integer(2)])
    #expect(try commit(sessions.1, second) == .durable)
    #expect(try commit(sessions.0, first) == .durable)
  }

  @Test func `is undone if its connection is cut, and the next one goes on`() async throws {
    let session = await open("a")
    let transaction = try begin(for: session)
    _ = try transaction.run(Self.book, [.text("anna"), .integer(7)])
    try schema.cut()
    let failure = #expect(throws: DatabaseFailure.self) {
      try transaction.run(Self.book, [.text("anna"), .integer(8)])
    }
    #expect(failure?.kind == .unavailable)
    transaction.rollBack()
    for _ in 0..<2 {
      let next = try begin(for: session)
      _ = try next.run("SELECT 1", [])
      next.rollBack()
      try schema.cut()
    }
    #expect(try commit(session, begin(for: session)) == .durable)
    #expect(try booked() == 0)
  }

  @Test func `may be done once more where a table was changed under a statement that it has compiled`() async throws {
    let session = await open("a")
    for round in 0..<3 {
      let transaction = try begin(for: session)
      if round == 1 {
        let failure = #expect(throws: DatabaseFailure.self) { try transaction.run("SELECT * FROM seats", []) }
        #expect(failure?.kind == .conflict)
      } else {
        #expect(try transaction.run("SELECT * FROM seats", []).rows.count == 100)
      }
      transaction.rollBack()
      if round == 0 { try schema.execute("ALTER TABLE seats ADD COLUMN price int") }
    }
  }

  @Test func `is committed though a trigger of the app's warns`() async throws {
    try schema.execute(
      """
      CREATE FUNCTION warn() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE WARNING 'a warning'; RETURN NEW; END $$
      """, "CREATE TRIGGER warning BEFORE UPDATE ON seats FOR EACH ROW EXECUTE FUNCTION warn()")
    let session = await open("a")
    let transaction = try begin(for: session)
    #expect(try transaction.run(Self.book, [.text("anna"), .integer(7)]).changes == 1)
    #expect(try commit(session, transaction) == .durable)
  }

  @Test func `says of a failure whose it is`() {
    for (state, message, kind) in [
      ("25006", "cannot execute UPDATE in a read-only transaction", DatabaseFailure.Kind.statement),
      ("25006", "connection to server failed: session is read-only", .unavailable), ("40001", "", .conflict),
      ("40P01", "", .conflict), ("0A000", "cached plan must not change result type", .conflict),
      ("0A000", "is not supported", .statement), ("57014", "", .tooSlow), ("55P03", "", .tooSlow),
      ("25P03", "", .tooSlow), ("53100", "", .full), ("53300", "", .unavailable), ("57P01", "", .unavailable),
      ("", "connection refused", .unavailable), ("23505", "", .constraint), ("42601", "", .statement),
    ] {
      #expect(PostgreSQLFailure(state: state, message: message).databaseKind == kind, "\(state) \(message)")
    }
  }

  @Test func `takes no text that PostgreSQL would cut short`() async throws {
    let transaction = try begin(for: await open("a"))
    let failure = #expect(throws: DatabaseFailure.self) {
      try transaction.run(Self.book, [.text("admin\0x"), .integer(7)])
    }
    #expect(failure?.kind == .statement)
    #expect(try transaction.run(Self.book, [.text("admin"), .integer(7)]).changes == 1)
  }

  // MARK: Migrations

  @Test func `has tables that are made once, also by servers that start at once`() async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<4 {
        group.addTask {
          _ = try Self.committer(
            schema, Self.migrations + [Migration(3, "ALTER TABLE seats ADD COLUMN price int NOT NULL DEFAULT 5")])
        }
      }
      try await group.waitForAll()
    }
    #expect(try schema.number("SELECT sum(price)::bigint FROM seats") == 500)
  }

  @Test func `has none of a migration's tables if one of its steps fails`() throws {
    let error = #expect(throws: StoreError.self) {
      _ = try Self.committer(
        schema, Self.migrations + [Migration(3, "DROP TABLE guests"), Migration(4, "DROP TABLE chairs")])
    }
    let text = error?.description ?? ""
    #expect(text.contains("migration 4") && text.contains("\"chairs\" does not exist"), "\(text)")
    #expect(text.contains("at migration 2"), "\(text)")
    #expect(try schema.number("SELECT count(*) FROM guests") == 0)
  }

  @Test func `does not begin for an app that has changed a step that was done`() throws {
    let changed = [Self.migrations[0], Migration(2, "CREATE TABLE chairs (id bigint)")]
    let error = #expect(throws: StoreError.self) { _ = try Self.committer(schema, changed) }
    let text = error?.description ?? ""
    #expect(text.contains("migration 2 of the app's tables is not the one that was done"), "\(text)")
    _ = try Self.committer(schema)
  }

  @Test func `does not begin for an app that is earlier than its tables`() throws {
    let error = #expect(throws: StoreError.self) { _ = try Self.committer(schema, [Self.migrations[0]]) }
    #expect(error?.kind == .newer)
  }
}
