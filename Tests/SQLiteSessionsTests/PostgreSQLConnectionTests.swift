// SPDX-License-Identifier: MIT
import PostgreSQLSessions
import Seeded
import Sessions
import Testing

/// Connections that break, and several connections at work on the same sessions.
@Suite(
  .enabled(if: TestSchema.server != nil, "Scripts/with-postgresql.sh starts a server for it"), .timeLimit(.minutes(5)))
struct `A store in PostgreSQL` {
  /// Ends the connections of a store that has given this name as its application's.
  private func cut(named name: String, _ schema: TestSchema) throws {
    try schema.execute(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = '\(name)'")
  }

  @Test func `goes on after its connection was cut, with the claims that it has`() throws {
    let schema = try TestSchema()
    var owner = try Owner(PostgreSQLStore("\(schema.address) application_name=\(schema.name)"))
    let claim = owner.newClaim()
    #expect(owner.store.commit(owner.change("a", claim, isNew: true, .record(record("a")))) == [.durable])
    for revision in 2...5 {
      try cut(named: schema.name, schema)
      let change = owner.change("a", claim, .record(record("a", UInt64(revision))))
      #expect(owner.store.commit(change, survivesPowerCut: revision.isMultiple(of: 2)) == [.durable])
    }
    try cut(named: schema.name, schema)
    #expect(owner.store.claim("a", owner.newClaim()).record == record("a", 5))
    #expect(owner.store.boot == owner.boot)
  }

  @Test func `has no claim any more when another node has got its number`() throws {
    let schema = try TestSchema()
    var owner = try Owner(PostgreSQLStore("\(schema.address) application_name=\(schema.name)"))
    let claim = owner.newClaim()
    #expect(owner.store.commit(owner.change("a", claim, isNew: true, .record(record("a")))) == [.durable])
    // This is the state after a failover to a standby that did not have the node yet, and gave its number to
    // another.
    try schema.execute("UPDATE euripus_nodes SET token = gen_random_uuid(), name = 'another'")
    try cut(named: schema.name, schema)
    #expect(owner.store.commit(owner.change("a", claim, .record(record("a", 2)))).first?.kind == .unavailable)
    #expect(owner.store.boot > owner.boot)
    #expect(owner.store.commit(owner.change("a", claim, .record(record("a", 2)))) == [.fenced])
    let again = try #require(owner.store.claim("a", owner.newClaim()).claim)
    #expect(again.boot == owner.store.boot)
    #expect(owner.store.commit(owner.change("a", again, .record(record("a", 3)))) == [.durable])
  }

  @Test func `says which table is not as it was made, and goes on when it is there again`() throws {
    let schema = try TestSchema()
    var owner = try Owner(PostgreSQLStore(schema.address))
    let claim = owner.newClaim()
    #expect(owner.store.commit(owner.change("a", claim, isNew: true, .record(record("a")))) == [.durable])
    try schema.execute("ALTER TABLE euripus_sessions RENAME TO elsewhere")
    #expect(owner.store.commit(owner.change("a", claim, .record(record("a", 2)))).first?.kind == .damaged)
    try schema.execute("ALTER TABLE elsewhere RENAME TO euripus_sessions")
    #expect(owner.store.commit(owner.change("a", claim, .record(record("a", 2)))) == [.durable])
  }

  @Test func `makes the sessions of two servers wait for each other, and never in a circle`() async throws {
    let schema = try TestSchema()
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

  @Test func `leaves to another server what is in that one's memory`() throws {
    let schema = try TestSchema()
    var first = try Owner(PostgreSQLStore(schema.address))
    let second = try Owner(PostgreSQLStore(schema.address))
    #expect(
      first.store.commit(first.change("a", first.newClaim(), isNew: true, .record(record("a", used: 1)))) == [.durable])
    #expect(try second.store.expire(now: 15, unusedSince: 8, limit: 10).forgotten == 0)
    // The first server has given no sign for an hour.
    try schema.execute("UPDATE euripus_nodes SET seen = now() - interval '1 hour' WHERE boot = \(first.boot)")
    #expect(try second.store.expire(now: 15, unusedSince: 8, limit: 10).forgotten == 1)
  }
}
