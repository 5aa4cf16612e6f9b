// SPDX-License-Identifier: MIT
import EuripusNodes
import Seeded
import StoreRules
import Storing
import Testing
import ViewModels

/// The rules of all stores, connections that break, and several connections at work on the same sessions.
@Suite(.timeLimit(.minutes(30))) struct `A store in PostgreSQL` {
  private let schema: TestSchema
  init() throws { schema = try TestSchema() }

  @Test(arguments: StoreRule.all) func `keeps each rule of a store`(_ rule: StoreRule) throws {
    try rule.check(TwoOwners((0..<2).map { _ in PostgreSQLStore(schema.address) }))
  }

  @Test func `keeps two owners from undoing each other's work, whatever they do`() throws {
    try StoreScript.run(rounds: 12) {
      let schema = try TestSchema()
      return try TwoOwners((0..<2).map { _ in PostgreSQLStore(schema.address) })
    }
  }

  @Test func `goes on after its connection was cut, with the claims that it has`() throws {
    var owner = try Owner(PostgreSQLStore("\(schema.address) application_name=\(schema.name)"))
    let claim = owner.open(record("a"))
    for revision in UInt64(2)...5 {
      try schema.cut()
      let content = StoreChange.Content.record(record("a", revision))
      #expect(owner.commit("a", claim, content, survivesPowerCut: revision.isMultiple(of: 2)) == .durable)
    }
    try schema.cut()
    #expect(owner.claim("a").record == record("a", 5))
    #expect(owner.store.boot == owner.boot)
  }

  @Test func `has no claim any more when another node has got its number`() throws {
    var owner = try Owner(PostgreSQLStore("\(schema.address) application_name=\(schema.name)"))
    let claim = owner.open(record("a"))
    // This is the state after a failover to a standby that did not have the node yet, and gave its number to
    // another.
    try schema.execute("UPDATE euripus_nodes SET token = gen_random_uuid(), name = 'another'")
    try schema.cut()
    #expect(owner.commit(record("a", 2), claim)?.kind == .unavailable)
    #expect(owner.store.boot > owner.boot)
    #expect(owner.commit(record("a", 2), claim) == .fenced)
    let again = try #require(owner.claim("a").claim)
    #expect(again.boot == owner.store.boot)
    #expect(owner.commit(record("a", 3), again) == .durable)
  }

  @Test func `asks for all of a new session that a crash has taken, and for none that is gone otherwise`() throws {
    var owner = try Owner(PostgreSQLStore("\(schema.address) application_name=\(schema.name)"))
    let claims = ["lost", "closed", "gone"].map { owner.open(record($0)) }
    try schema.execute("DELETE FROM euripus_sessions WHERE id <> 'gone'")
    try schema.cut()
    let change = owner.change("lost", claims[0], .record(record("lost", 2)), isSuccessor: true)
    for _ in 0..<2 { #expect(owner.store.commit([change]) == [.behind]) }
    let parts = PartsChange(put: [Array("/list/order".utf8): Array("[]".utf8)], isWhole: true)
    let whole = record("lost", 3).with(parts)
    #expect(owner.commit("lost", claims[0], isNew: true, .record(whole)) == .durable)
    #expect(owner.claim("lost").record == whole.with(PartsChange(put: parts.put)))
    #expect(owner.commit("closed", claims[1], .closed(closed("closed"))) == .durable)
    #expect(owner.claim("closed") == .closed(closed("closed")))
    // This one was there on the new connection. So another owner has taken it over since, and ended it.
    try schema.execute("DELETE FROM euripus_sessions WHERE id = 'gone'")
    let late = owner.change("gone", claims[2], .record(record("gone", 2)), isSuccessor: true)
    #expect(owner.store.commit([late]) == [.fenced])
    try schema.cut()
    #expect(owner.store.commit([late]) == [.fenced])
  }

  @Test func `has a claim survive a crash of the database, where changes need not`() throws {
    var owner = try Owner(PostgreSQLStore(schema.address))
    owner.open(record("a"))
    try schema.execute(
      "CREATE TABLE seen (setting text)",
      """
      CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN INSERT INTO seen VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$
      """, "CREATE TRIGGER seeing AFTER UPDATE ON euripus_sessions FOR EACH ROW EXECUTE FUNCTION see()")
    func seen(_ setting: String) throws -> Int64 {
      try schema.number("SELECT count(*) FROM seen WHERE setting = '\(setting)'")
    }
    let claim = try #require(owner.claim("a").claim)
    #expect(try (seen("local"), seen("off")) == (1, 0))
    #expect(owner.commit(record("a", 2), claim) == .durable)
    #expect(try (seen("local"), seen("off")) == (1, 1))
    #expect(owner.commit("a", claim, .record(record("a", 3)), survivesPowerCut: true) == .durable)
    _ = owner.claim("a")
    #expect(try seen("on") == 2)
  }

  @Test func `says which table is not as it was made, and goes on when it is there again`() throws {
    var owner = try Owner(PostgreSQLStore(schema.address))
    let claim = owner.open(record("a"))
    try schema.execute("ALTER TABLE euripus_sessions RENAME TO elsewhere")
    #expect(owner.commit(record("a", 2), claim)?.kind == .damaged)
    try schema.execute("ALTER TABLE elsewhere RENAME TO euripus_sessions")
    #expect(owner.commit(record("a", 2), claim) == .durable)
  }

  @Test func `makes the sessions of two servers wait for each other, and never in a circle`() async throws {
    let ids = (0..<150).map { "s\($0)" }
    var first = try Owner(PostgreSQLStore(schema.address))
    let opened = ids.map { first.change($0, first.newClaim(), isNew: true, .record(record($0))) }
    #expect(first.store.commit(opened).allSatisfy { $0 == .durable })
    let owners = try (0..<3).map { _ in try Owner(PostgreSQLStore(schema.address)) }
    await withTaskGroup(of: Void.self) { group in
      for (index, owner) in owners.enumerated() {
        group.addTask {
          var owner = owner
          var generator = SeededGenerator(seed: UInt64(index + 1))
          for round in 0..<40 {
            let some = Array(ids.shuffled(using: &generator).prefix(60))
            nonisolated(unsafe) var outcomes: [ClaimOutcome] = []
            owner.store.claim(some.map { ClaimOffer($0, owner.newClaim()) }) { outcomes = $0 }
            let changes = zip(some, outcomes).compactMap { id, outcome in
              outcome.claim.map { owner.change(id, $0, .record(record(id, UInt64(round)))) }
            }
            #expect(changes.count == some.count, "every claim counts, however many there are at once")
            for outcome in owner.store.commit(changes.shuffled(using: &generator)) {
              #expect(outcome == .durable || outcome == .fenced)
            }
          }
        }
      }
    }
    #expect(try schema.number("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()") == 0)
  }

  @Test func `leaves sessions to another server that are in that one's memory`() throws {
    var first = try Owner(PostgreSQLStore(schema.address))
    let second = try Owner(PostgreSQLStore(schema.address))
    first.open(record("a", used: 1))
    // No machine is so slow that the first server is taken for gone.
    try schema.execute("UPDATE euripus_nodes SET seen = now() + interval '1 hour'")
    #expect(try second.store.expire(now: 15, unusedSince: 8, limit: 10).forgotten == 0)
    // The first server has given no sign for an hour.
    try schema.execute("UPDATE euripus_nodes SET seen = now() - interval '1 hour' WHERE boot = \(first.boot)")
    #expect(try second.store.expire(now: 15, unusedSince: 8, limit: 10).forgotten == 1)
  }
}
