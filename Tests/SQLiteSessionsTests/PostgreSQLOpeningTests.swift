// SPDX-License-Identifier: MIT
import PostgreSQLSessions
import Sessions
import Testing
import ViewModels

/// The beginning of a store in PostgreSQL, and the obstacles in its way.
@Suite(.enabled(if: TestSchema.server != nil, "Scripts/with-postgresql.sh starts a server for it"))
struct `Opening a store in PostgreSQL` {
  /// The error of opening the store at an address, which is one line; `nil` if it opens.
  private func refusal(_ address: String) -> StoreError? {
    let store = PostgreSQLStore(address)
    do throws(StoreError) {
      _ = try store.open(as: "test")
      return nil
    } catch {
      #expect(!error.description.contains("\n"), "\(error)")
      return error
    }
  }

  @Test func `makes the tables once, however many open it at the same time`() async throws {
    let schema = try TestSchema()
    let boots = try await withThrowingTaskGroup(of: UInt64.self, returning: [UInt64].self) { group in
      for index in 0..<8 {
        group.addTask { try PostgreSQLStore(schema.address).open(as: "server \(index)") }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(boots.sorted() == Array(1...8))
    #expect(try schema.number("SELECT format FROM euripus_store") == 4)
  }

  @Test func `brings tables without timers to the present format, with all that is in them`() throws {
    let schema = try TestSchema()
    var first = try Owner(PostgreSQLStore(schema.address))
    let claim = first.newClaim()
    #expect(first.store.commit(first.change("a", claim, isNew: true, .record(record("a")))) == [.durable])
    first.store.close()
    try schema.execute(
      withoutBytes + withoutParts + [
        "ALTER TABLE euripus_sessions DROP COLUMN wakes_at", "ALTER TABLE euripus_set_aside DROP COLUMN wakes_at",
        "UPDATE euripus_store SET format = 1",
      ])
    var owner = try Owner(PostgreSQLStore(schema.address))
    defer { owner.store.close() }
    #expect(try owner.store.due(by: .max, after: nil, limit: 9) == [])
    let held = try #require(owner.store.claim("a", owner.newClaim()).claim)
    var timed = record("a", 2)
    timed.wakesAt = 5
    #expect(owner.store.commit(owner.change("a", held, .record(timed))) == [.durable])
    #expect(try owner.store.due(by: 5, after: nil, limit: 9) == [DueSession(id: "a", time: 5)])
    // Both tables have got the same columns.
    #expect(owner.store.commit(owner.change("a", held, .setAside(reason: "a test"))) == [.durable])
    #expect(try schema.number("SELECT wakes_at FROM euripus_set_aside") == 5)
  }

  @Test func `says what it cannot open, and why, and never the password`() throws {
    let cases: [(address: String, kind: StoreError.Kind, words: [String])] = [
      ("postgres://anna:secret-8512@[::1", .unavailable, ["cannot be read", "postgres://USER@HOST"]),
      ("host=/nowhere dbname=postgres", .unavailable, ["cannot be reached", "whether the server runs"]),
      ("postgres://localhost:1/x", .unavailable, ["'x' on localhost:1", "cannot be reached"]),
      (
        try TestSchema.address("user=guarded password=secret-8512 dbname=postgres"), .unavailable,
        ["the user and the password", "PGPASSFILE"]
      ),
      (try TestSchema.address("user=nobody_8512 dbname=postgres"), .unavailable, ["the user and the password"]),
      (try TestSchema.address("user=euripus dbname=none_8512"), .unavailable, ["no such database", "createdb"]),
    ]
    for (address, kind, words) in cases {
      let error = try #require(refusal(address), "\(address)")
      #expect(error.kind == kind)
      for word in words { #expect(error.description.contains(word), "\(error)") }
      #expect(!error.description.contains("8512@") && !error.description.contains("secret-8512"), "\(error)")
    }
  }

  @Test func `writes nothing where its role may not make tables, and needs no more than to read and write them`() throws
  {
    let schema = try TestSchema()
    let role = "role_\(schema.name)"
    try schema.execute("CREATE ROLE \(role) LOGIN", "GRANT USAGE ON SCHEMA \(schema.name) TO \(role)")
    let address = try TestSchema.address("user=\(role) dbname=postgres options='-c search_path=\(schema.name)'")
    let error = try #require(refusal(address))
    #expect(error.description.contains("rights") && error.description.contains("euripus store migrate"), "\(error)")
    #expect(
      try schema.number("SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema.name)'") == 0)
    try PostgreSQLStore(schema.address).migrate(as: "test")
    try schema.execute(
      "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema.name) TO \(role)")
    var owner = try Owner(PostgreSQLStore(address))
    let claim = owner.newClaim()
    #expect(owner.store.commit(owner.change("a", claim, isNew: true, .record(record("a")))) == [.durable])
    #expect(owner.store.commit(owner.change("a", claim, .setAside(reason: "x"))) == [.durable])
  }

  @Test func `refuses a store of a later version, and leaves it as it is`() throws {
    let schema = try TestSchema()
    try PostgreSQLStore(schema.address).migrate(as: "test")
    try schema.execute("UPDATE euripus_store SET format = 1000")
    let error = try #require(refusal(schema.address))
    #expect(error.kind == .newer && error.description.contains("format 1000"), "\(error)")
    #expect(throws: StoreError.self) { try PostgreSQLStore(schema.address).inspect() }
    #expect(throws: StoreError.self) { try PostgreSQLStore(schema.address).migrate(as: "test") }
    #expect(try schema.number("SELECT count(*) FROM euripus_nodes") == 0)
  }

  @Test func `refuses a server that cannot be written`() throws {
    let schema = try TestSchema()
    let address = schema.address.replacing("options='", with: "options='-c default_transaction_read_only=on ")
    let error = try #require(refusal(address))
    #expect(error.description.contains("standby") && error.description.contains("primary"), "\(error)")
  }

  @Test func `comes through a pooler that keeps a connection for each client, and refuses one that shares them`() throws
  {
    let pooled = try TestSchema.address("port=6432 user=euripus")
    let error = try #require(refusal("\(pooled) dbname=transaction"))
    #expect(error.description.contains("pool_mode = session"), "\(error)")
    #expect(try TestSchema().number("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0)
    var owner = try Owner(PostgreSQLStore("\(pooled) dbname=session"))
    let claim = owner.newClaim()
    #expect(owner.store.commit(owner.change("a", claim, isNew: true, .record(record("a")))) == [.durable])
    #expect(owner.store.commit(owner.change("a", claim, .record(record("a", 2))), survivesPowerCut: true) == [.durable])
    #expect(owner.store.claim("a", owner.newClaim()).record == record("a", 2))
  }

  @Test func `lets an operator look at it, and finds what cannot be read`() throws {
    let schema = try TestSchema()
    #expect(throws: StoreError.self, "there are no tables") { try PostgreSQLStore(schema.address).inspect() }
    var owner = try Owner(PostgreSQLStore(schema.address))
    for id in ["a", "b"] {
      let change = owner.change(id, owner.newClaim(), isNew: true, .record(record(id)))
      #expect(owner.store.commit(change) == [.durable])
    }
    let looker = PostgreSQLStore(schema.address)
    try looker.inspect()
    #expect(try looker.check() == [])
    #expect(try looker.list(after: nil, limit: 9).map(\.id) == ["a", "b"])
    #expect(try looker.size() > 0)
    try schema.execute("UPDATE euripus_sessions SET state = '{}' WHERE id = 'b'")
    let findings = try looker.check()
    #expect(findings.count == 1 && findings[0].contains("session b cannot be read"))
    // The claimant is told once, and the store keeps the record.
    guard case .setAside = owner.store.claim("b", owner.newClaim()) else {
      Issue.record("expected it to be put aside")
      return
    }
    #expect(owner.store.claim("b", owner.newClaim()) == ClaimOutcome.none)
    #expect(try looker.count() == StoreCount(living: 1, setAside: 1))
    #expect(try schema.number("SELECT count(*) FROM euripus_set_aside WHERE id = 'b' AND state = '{}'") == 1)
    try looker.compact()
  }

  /// The statements that turn tables of format 4 into format 3, which does not have the number of the parts' bytes.
  private let withoutBytes = [
    "ALTER TABLE euripus_sessions DROP COLUMN part_bytes", "ALTER TABLE euripus_set_aside DROP COLUMN part_bytes",
    "UPDATE euripus_store SET format = 3",
  ]
  /// The statements that turn tables of format 3 into format 2, which has no parts.
  private let withoutParts = [
    "DROP TABLE euripus_parts", "DROP TABLE euripus_parts_set_aside",
    "ALTER TABLE euripus_sessions DROP COLUMN parts", "ALTER TABLE euripus_set_aside DROP COLUMN parts",
    "UPDATE euripus_store SET format = 2",
  ]

  @Test func `brings tables without parts to the present format, with all that is in them`() throws {
    let schema = try TestSchema()
    var first = try Owner(PostgreSQLStore(schema.address))
    let change = first.change("a", first.newClaim(), isNew: true, .record(record("a")))
    #expect(first.store.commit(change) == [.durable])
    first.store.close()
    try schema.execute(withoutBytes + withoutParts)
    let error = try #require(throws: StoreError.self) { try PostgreSQLStore(schema.address).inspect() }
    #expect(error.description.contains("has format 2") && error.description.contains("euripus store migrate"))
    try PostgreSQLStore(schema.address).migrate(as: "test")
    var owner = try Owner(PostgreSQLStore(schema.address))
    let claim = try #require(owner.store.claim("a", owner.newClaim()).claim)
    var changed = record("a", 2)
    changed.parts.put = [Array("/list/order".utf8): Array("[]".utf8)]
    (changed.partCount, changed.partBytes) = (1, 2)
    #expect(owner.store.commit(owner.change("a", claim, .record(changed))) == [.durable])
    #expect(owner.store.claim("a", owner.newClaim()).record == changed)
  }

  @Test func `leaves tables as they are while servers have them that would not know parts`() throws {
    let schema = try TestSchema()
    let first = PostgreSQLStore(schema.address, nodeURL: "http://127.0.0.1:1")
    _ = try first.open(as: "an earlier server")
    try schema.execute(withoutBytes + withoutParts)
    let error = try #require(throws: StoreError.self) { try PostgreSQLStore(schema.address).migrate(as: "test") }
    #expect(
      error.description.contains("has servers of an earlier version") && error.description.contains("an earlier server")
    )
    #expect(try schema.number("SELECT format FROM euripus_store") == 2)
    first.close()
    try PostgreSQLStore(schema.address).migrate(as: "test")
    #expect(try schema.number("SELECT format FROM euripus_store") == 4)
  }

  @Test func `tells the bytes of parts that tables have had without telling them, while a server has them`() throws {
    let schema = try TestSchema()
    var first = try Owner(PostgreSQLStore(schema.address, nodeURL: "http://127.0.0.1:1"))
    var parted = record("a")
    parted.parts.put = [Array("/list/order".utf8): Array("[]".utf8), Array("/list/items/1".utf8): Array("{}".utf8)]
    (parted.partCount, parted.partBytes) = (2, 4)
    let change = first.change("a", first.newClaim(), isNew: true, .record(parted))
    #expect(first.store.commit(change) == [.durable])
    let told = try first.store.list(after: nil, limit: 9).map(\.bytes)
    try schema.execute(withoutBytes)
    try PostgreSQLStore(schema.address).migrate(as: "test")
    let looker = PostgreSQLStore(schema.address)
    try looker.inspect()
    #expect(try looker.list(after: nil, limit: 9).map(\.bytes) == told)
  }

  @Test func `takes no change for stored whose commit fails behind its statements`() throws {
    let schema = try TestSchema()
    var owner = try Owner(PostgreSQLStore(schema.address))
    let claim = owner.newClaim()
    #expect(owner.store.commit(owner.change("a", claim, isNew: true, .record(record("a")))) == [.durable])
    try schema.execute(
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not now''; END'
      """,
      """
      CREATE CONSTRAINT TRIGGER refusing AFTER UPDATE ON euripus_sessions DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION refuse()
      """)
    let outcome = owner.store.commit(owner.change("a", claim, .record(record("a", 2))))[0]
    #expect(outcome != .durable)
    #expect(try schema.number("SELECT max(revision) FROM euripus_sessions") == 1)
  }

  @Test func `puts a session aside of which a part was damaged, with its parts`() throws {
    let schema = try TestSchema()
    var owner = try Owner(PostgreSQLStore(schema.address))
    var parted = record("a")
    parted.parts.put = [Array("/list/order".utf8): Array("[]".utf8), Array("/list/items/1".utf8): Array("{}".utf8)]
    (parted.partCount, parted.partBytes) = (2, 4)
    let change = owner.change("a", owner.newClaim(), isNew: true, .record(parted))
    #expect(owner.store.commit(change) == [.durable])
    try schema.execute("UPDATE euripus_parts SET json = '[ ]' WHERE json = '[]'")
    let looker = PostgreSQLStore(schema.address)
    try looker.inspect()
    #expect(try looker.check().count == 1)
    guard case .setAside(let error) = owner.store.claim("a", owner.newClaim()) else {
      Issue.record("expected it to be put aside")
      return
    }
    #expect(error.description.contains("its part '/list/order' has the checksum of something else"))
    #expect(try schema.number("SELECT count(*) FROM euripus_parts_set_aside WHERE session = 'a'") == 2)
    #expect(try schema.number("SELECT count(*) FROM euripus_parts") == 0)
  }
}
