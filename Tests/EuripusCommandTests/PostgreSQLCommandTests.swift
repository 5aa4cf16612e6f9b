// SPDX-License-Identifier: MIT
import Foundation
import Testing

@testable import EuripusNodes

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

  /// The one line with which a server ends that has such a store.
  private func line(_ keywords: String, status: Int32, _ options: [String] = []) throws -> String {
    let store = "\(host) \(keywords) options='-c search_path=\(schema)'"
    let ended = try Program.serve(["--store", store] + options).end()
    #expect(ended.status == status && ended.isOneLine, "\(keywords): \(ended)")
    return ended.errors
  }

  @Test(arguments: [[], ["--supervise"]])
  func `ends with a line that names the expected thing`(_ options: [String]) throws {
    let line = try line("user=guarded password=wrong-8512 dbname=postgres", status: 1, options)
    for word in ["the user and the password", "PGPASSFILE"] { #expect(line.contains(word), "\(line)") }
    #expect(!line.contains("wrong-8512"), "\(line)")
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
