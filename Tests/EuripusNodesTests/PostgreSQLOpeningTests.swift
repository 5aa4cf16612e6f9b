// SPDX-License-Identifier: MIT
import EuripusNodes
import StoreRules
import Storing
import Testing
import ViewModels

/// The beginning of a store in PostgreSQL, and the obstacles in its way.
@Suite(.timeLimit(.minutes(30))) struct `Opening a store in PostgreSQL` {
  private let schema: TestSchema
  init() throws { schema = try TestSchema() }

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
    let address = schema.address
    let boots = try await withThrowingTaskGroup(of: UInt64.self, returning: [UInt64].self) { group in
      for index in 0..<8 { group.addTask { try PostgreSQLStore(address).open(as: "server \(index)") } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(boots.sorted() == Array(1...8))
    #expect(try schema.number("SELECT format FROM euripus_store") == 7)
  }

  @Test func `tells the address that it cannot open, and why, and never the password`() throws {
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

  @Test func `writes nothing where its role may not make tables, and needs only to read and write them`() throws {
    let role = "role_\(schema.name)"
    try schema.execute("CREATE ROLE \(role) LOGIN", "GRANT USAGE ON SCHEMA \(schema.name) TO \(role)")
    let address = try TestSchema.address("user=\(role) dbname=postgres options='-c search_path=\(schema.name)'")
    let error = try #require(refusal(address))
    #expect(error.description.contains("rights") && error.description.contains("euripus store migrate"), "\(error)")
    #expect(try schema.number("SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema.name)'") == 0)
    try PostgreSQLStore(schema.address).migrate(as: "test", [])
    try schema.execute("GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA \(schema.name) TO \(role)")
    var owner = try Owner(PostgreSQLStore(address))
    let claim = owner.open(record("a"))
    #expect(owner.commit("a", claim, .setAside(reason: "x")) == .durable)
  }

  @Test func `refuses a store of a later version, and leaves it as it is`() throws {
    try PostgreSQLStore(schema.address).migrate(as: "test", [])
    try schema.execute("UPDATE euripus_store SET format = 1000")
    let error = try #require(refusal(schema.address))
    #expect(error.kind == .newer && error.description.contains("format 1000"), "\(error)")
    #expect(throws: StoreError.self) { try PostgreSQLStore(schema.address).inspect() }
    #expect(throws: StoreError.self) { try PostgreSQLStore(schema.address).migrate(as: "test", []) }
    #expect(try schema.number("SELECT count(*) FROM euripus_nodes") == 0)
  }

  @Test func `refuses a server that cannot be written`() throws {
    let address = schema.address.replacing("options='", with: "options='-c default_transaction_read_only=on ")
    let error = try #require(refusal(address))
    #expect(error.description.contains("standby") && error.description.contains("primary"), "\(error)")
  }

  @Test func `comes through a pooler with a connection for each client, and refuses one that shares them`() throws {
    let pooled = try TestSchema.address("port=6432 user=euripus")
    let error = try #require(refusal("\(pooled) dbname=transaction"))
    #expect(error.description.contains("pool_mode = session"), "\(error)")
    #expect(try schema.number("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'") == 0)
    var owner = try Owner(PostgreSQLStore("\(pooled) dbname=session"))
    let claim = owner.open(record("a"))
    #expect(owner.commit("a", claim, .record(record("a", 2)), survivesPowerCut: true) == .durable)
    #expect(owner.claim("a").record == record("a", 2))
  }

  @Test func `lets an operator look at it, and finds a session that cannot be read`() throws {
    #expect(throws: StoreError.self, "there are no tables") { try PostgreSQLStore(schema.address).inspect() }
    var owner = try Owner(PostgreSQLStore(schema.address))
    for id in ["a", "b"] { owner.open(record(id)) }
    let looker = PostgreSQLStore(schema.address)
    try looker.inspect()
    #expect(try looker.check() == [])
    #expect(try looker.list(after: nil, limit: 9).map(\.id) == ["a", "b"])
    #expect(try looker.size() > 0)
    try schema.execute("UPDATE euripus_sessions SET state = '{}' WHERE id = 'b'")
    let findings = try looker.check()
    #expect(findings.count == 1 && findings[0].contains("session b cannot be read"))
    // The claimant is told once, and the store keeps the record.
    #expect(owner.claim("b").damage != nil)
    #expect(owner.claim("b") == ClaimOutcome.none)
    #expect(try looker.count() == StoreCount(living: 1, setAside: 1))
    #expect(try schema.number("SELECT count(*) FROM euripus_set_aside WHERE id = 'b' AND state = '{}'") == 1)
    try looker.compact()
  }

  /// Turns the tables into those of an earlier format: 6 does not know the steps of an app's tables, 4 does not have the shares of the room, 3 does not have the
  /// number of the parts' bytes, 2 has no parts, and 1 has no timers.
  private func makeEarlier(_ format: Int) throws {
    let columns = "DROP COLUMN network, DROP COLUMN of_user, DROP COLUMN bytes"
    let dropped = [
      6: ["DROP TABLE euripus_app_steps"],
      5: ["DROP TABLE euripus_app"],
      4: [
        "DROP FUNCTION euripus_count_share CASCADE", "DROP TABLE euripus_shares", "DROP TABLE euripus_share_changes",
        "ALTER TABLE euripus_sessions \(columns)", "ALTER TABLE euripus_set_aside \(columns)",
      ],
      3: [
        "ALTER TABLE euripus_sessions DROP COLUMN part_bytes", "ALTER TABLE euripus_set_aside DROP COLUMN part_bytes",
      ],
      2: [
        "DROP TABLE euripus_parts", "DROP TABLE euripus_parts_set_aside",
        "ALTER TABLE euripus_sessions DROP COLUMN parts", "ALTER TABLE euripus_set_aside DROP COLUMN parts",
      ],
      1: ["ALTER TABLE euripus_sessions DROP COLUMN wakes_at", "ALTER TABLE euripus_set_aside DROP COLUMN wakes_at"],
    ]
    let statements = (format...6).reversed().flatMap { dropped[$0] ?? [] }
    try schema.execute(statements + ["UPDATE euripus_store SET format = \(format)"])
  }

  private let parted = record("a").with(
    PartsChange(put: [
      Array("/list/order".utf8): Array("[]".utf8), Array("/list/items/1".utf8): Array("{}".utf8),
    ]))

  @Test(arguments: [1, 2]) func `brings tables of an earlier format to the present one, with all that is in them`(
    format: Int
  ) throws {
    var first = try Owner(PostgreSQLStore(schema.address))
    first.open(record("a"))
    first.store.close()
    try makeEarlier(format)
    let error = try #require(throws: StoreError.self) { try PostgreSQLStore(schema.address).inspect() }
    #expect(error.description.contains("has format \(format)") && error.description.contains("euripus store migrate"))
    if format == 2 { try PostgreSQLStore(schema.address).migrate(as: "test", []) }
    var owner = try Owner(PostgreSQLStore(schema.address))
    defer { owner.store.close() }
    #expect(try owner.store.due(by: .max, after: nil, limit: 9) == [])
    let claim = try #require(owner.claim("a").claim)
    var changed = parted
    (changed.revision, changed.wakesAt) = (2, 5)
    #expect(owner.commit(changed, claim) == .durable)
    #expect(owner.claim("a").record == changed)
    #expect(try owner.store.due(by: 5, after: nil, limit: 9) == [DueSession(id: "a", time: 5)])
    // Both tables have got the same columns.
    let again = try #require(owner.claim("a").claim)
    #expect(owner.commit("a", again, .setAside(reason: "a test")) == .durable)
    #expect(try schema.number("SELECT wakes_at FROM euripus_set_aside") == 5)
  }

  @Test func `leaves tables as they are while servers have them that would not know parts`() throws {
    let first = PostgreSQLStore(schema.address, nodeURL: "http://127.0.0.1:1")
    _ = try first.open(as: "an earlier server")
    try makeEarlier(2)
    let error = try #require(throws: StoreError.self) { try PostgreSQLStore(schema.address).migrate(as: "test", []) }
    #expect(
      error.description.contains("has servers of an earlier version") && error.description.contains("an earlier server")
    )
    #expect(try schema.number("SELECT format FROM euripus_store") == 2)
    first.close()
    try PostgreSQLStore(schema.address).migrate(as: "test", [])
    #expect(try schema.number("SELECT format FROM euripus_store") == 7)
  }

  @Test func `learns the migrations of earlier tables`() throws {
    let step = Migration(1, "CREATE TABLE seats (owner bigint)")
    try PostgreSQLStore(schema.address).migrate(as: "test", [step])
    try makeEarlier(6)
    try PostgreSQLStore(schema.address).migrate(as: "test", [step])
    #expect(try schema.number("SELECT count(*) FROM euripus_app_steps") == 1)
    let error = try #require(throws: StoreError.self) {
      try PostgreSQLStore(schema.address).migrate(as: "test", [Migration(1, "CREATE TABLE seats (owner text)")])
    }
    #expect(error.description.contains("migration 1 of the app's tables is not the one that was done"), "\(error)")
  }

  @Test func `tells the bytes of parts that tables have had without telling them, while a server has them`() throws {
    var first = try Owner(PostgreSQLStore(schema.address, nodeURL: "http://127.0.0.1:1"))
    first.open(parted)
    let told = try first.store.list(after: nil, limit: 9).map(\.bytes)
    try makeEarlier(3)
    try PostgreSQLStore(schema.address).migrate(as: "test", [])
    let looker = PostgreSQLStore(schema.address)
    try looker.inspect()
    #expect(try looker.list(after: nil, limit: 9).map(\.bytes) == told)
  }

  @Test func `takes no change for stored if its commit fails behind its statements`() throws {
    var owner = try Owner(PostgreSQLStore(schema.address))
    let claim = owner.open(record("a"))
    try schema.execute(
      """
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''not now''; END'
      """,
      """
      CREATE CONSTRAINT TRIGGER refusing AFTER UPDATE ON euripus_sessions DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION refuse()
      """)
    #expect(owner.commit(record("a", 2), claim) != .durable)
    #expect(try schema.number("SELECT max(revision) FROM euripus_sessions") == 1)
  }

  @Test func `puts a session aside of which a part was damaged, with its parts`() throws {
    var owner = try Owner(PostgreSQLStore(schema.address))
    owner.open(parted)
    try schema.execute("UPDATE euripus_parts SET json = '[ ]' WHERE json = '[]'")
    let looker = PostgreSQLStore(schema.address)
    try looker.inspect()
    #expect(try looker.check().count == 1)
    let error = try #require(owner.claim("a").damage)
    #expect(error.description.contains("its part '/list/order' has the checksum of something else"))
    #expect(try schema.number("SELECT count(*) FROM euripus_parts_set_aside WHERE session = 'a'") == 2)
    #expect(try schema.number("SELECT count(*) FROM euripus_parts") == 0)
  }
}
