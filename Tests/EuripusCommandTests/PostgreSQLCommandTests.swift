// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import PostgreSQLSessions

/// libpq's keywords for the server that `Scripts/with-postgresql.sh` has started.
private let postgreSQL = ProcessInfo.processInfo.environment["TEST_POSTGRESQL"]

/// The program with a store in PostgreSQL: one that cannot be used, and `store try`. These are the only tests of this
/// target that need a database server.
@Suite(.timeLimit(.minutes(30))) struct PostgreSQLCommandTests {
  private let schema = "test_\(UInt64.random(in: 1 ... .max))"
  private let host: String
  private let administrator: PostgreSQLConnection

  init() throws {
    let server = try #require(postgreSQL, "expected TEST_POSTGRESQL, as Scripts/with-postgresql.sh sets it")
    host = try #require(server.split(separator: " ").first { $0.hasPrefix("host=") }.map(String.init))
    administrator = try PostgreSQLConnection(server, defaults: [:])
    try administrator.execute(["CREATE SCHEMA \(schema)"])
  }

  private var tables: Int64 {
    get throws {
      let sql = "SELECT count(*) FROM pg_tables WHERE schemaname = '\(schema)'"
      return try #require(administrator.execute([sql]).first?.rows.first).integer(0)
    }
  }

  /// The one line with which a server ends that has such a store.
  private func line(_ keywords: String, status: Int32, _ options: [String] = []) throws -> String {
    // A pooler refuses options.
    let path = keywords.contains("port=6432") ? "" : " options='-c search_path=\(schema)'"
    let store = "\(host) \(keywords)\(path)"
    let ended = try Program.serve(["--store", store] + options).end()
    #expect(ended.status == status && ended.isOneLine, "\(keywords): \(ended)")
    return ended.errors
  }

  /// A role of the test's own.
  private func role() throws -> String {
    let name = "role_\(UInt64.random(in: 1 ... .max))"
    try administrator.execute(["CREATE ROLE \(name) LOGIN", "GRANT USAGE ON SCHEMA \(schema) TO \(name)"])
    return name
  }

  @Test(arguments: [
    ("port=1 user=euripus dbname=postgres", ["cannot be reached", "whether the server runs"]),
    ("user=guarded password=wrong-8512 dbname=postgres", ["the user and the password", "PGPASSFILE"]),
    ("user=euripus dbname=none_8512", ["no such database", "createdb"]),
    ("port=6432 user=euripus dbname=transaction", ["session"]),
  ])
  func `ends with a line that names the expected thing`(_ keywords: String, _ words: [String]) throws {
    for options in [[], ["--supervise"]] {
      let line = try line(keywords, status: 1, options)
      for word in words { #expect(line.contains(word), "\(line)") }
      #expect(!line.contains("wrong-8512"), "\(line)")
    }
  }

  @Test func `has written nothing where its role has no rights, or the server only reads, as a standby does`() throws {
    let unable = try line("user=\(role()) dbname=postgres", status: 1)
    #expect(unable.contains("rights") && unable.contains("store migrate"), "\(unable)")
    let reader = try role()
    try administrator.execute(["ALTER ROLE \(reader) SET default_transaction_read_only = on"])
    let standby = try line("user=\(reader) dbname=postgres", status: 1)
    #expect(standby.contains("standby"), "\(standby)")
    #expect(try tables == 0)
  }

  @Test func `tells by store try the fate of each session, while a server has the store and after`() throws {
    let store = "\(try #require(postgreSQL)) options='-c search_path=\(schema)'"
    let trial = try StoreTrial(store, named: "PostgreSQL database \(PostgreSQLStore(store).place)")
    try trial.expectFates()
    trial.endServer()
    try trial.expectFates()
  }

  @Test func `ends so where the tables are of a later version, and leaves them`() throws {
    let keywords = "user=euripus dbname=postgres"
    let store = "\(host) \(keywords) options='-c search_path=\(schema)'"
    #expect(try Program.run("store", "migrate", store).status == 0)
    try administrator.execute(["UPDATE \(schema).euripus_store SET format = 1000"])
    let later = try line(keywords, status: 65)
    #expect(later.contains("format 1000") && later.contains("later version"), "\(later)")
    let nodes = try administrator.execute(["SELECT count(*) FROM \(schema).euripus_nodes"])
    #expect(try #require(nodes.first?.rows.first).integer(0) == 0)
  }
}
