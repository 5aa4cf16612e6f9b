// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Foundation
import Testing

@testable import EuripusNodes

/// A schema of a test's own in the PostgreSQL server that `Scripts/with-postgresql.sh` has started. It goes
/// with the server. Without a server, the test fails.
struct TestSchema {
  private static let server = ProcessInfo.processInfo.environment["TEST_POSTGRESQL"]

  let name = "test_\(UInt64.random(in: 1 ... .max))"
  let address: String

  init() throws {
    let server = try #require(Self.server, "expected TEST_POSTGRESQL, as Scripts/with-postgresql.sh sets it")
    try PostgreSQLConnection(server, defaults: [:]).execute(["CREATE SCHEMA \(name)"])
    address = "\(server) options='-c search_path=\(name)'"
  }

  /// An address of the same server for another role or another database.
  static func address(_ keywords: String) throws -> String {
    try #require(server).split(separator: " ").filter { $0.hasPrefix("host=") }.joined() + " " + keywords
  }

  /// Runs statements in the schema, on a connection of their own.
  func execute(_ statements: String...) throws { try execute(statements) }

  func execute(_ statements: [String]) throws {
    try PostgreSQLConnection(address, defaults: [:]).execute(statements)
  }

  /// Ends the connections that have given the schema's name as their application's.
  func cut() throws {
    try execute(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = '\(name)'")
  }

  /// The number that a query gives.
  func number(_ sql: String) throws -> Int64 {
    let answer = try PostgreSQLConnection(address, defaults: [:]).execute([sql])
    return try #require(answer.first?.rows.first).integer(0)
  }
}

extension TestSchema {
  /// A server of several that share the schema, on a port that was free.
  func server(_ models: [HostedModelType], idleTime: Duration? = nil) throws -> TestServer {
    let first = UInt16.random(in: 20_000..<32_000)
    for port in first..<(first + 100) {
      let storage = SessionStorage.postgreSQL(
        "\(address) application_name=\(name)", nodeURL: "http://127.0.0.1:\(port)")
      do {
        return try TestServer(models) {
          $0.listener.port = port
          // All clients of a test have one address.
          $0.listener.maxConnectionsPerAddress = 10_000
          $0.sessions.openingRate = nil
          $0.sessions.storage = storage
          if let idleTime { $0.sessions.idleTime = idleTime }
        }
      } catch  where "\(error)".contains("another process or listener already does") {}
    }
    throw CancellationError()
  }
}
