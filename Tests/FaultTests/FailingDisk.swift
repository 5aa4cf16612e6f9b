// SPDX-License-Identifier: MIT
import CFaultyFiles
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Storing
import Testing

@testable import SQLiteSessions

/// A place for a store, whose files fail when a test says so, and the servers on it, one after the other.
final class FailingDisk {
  private let directory: String
  private let name: String
  private let files: OpaquePointer
  var path: String { directory + "/sessions.db" }

  /// - Parameter name: Another one for each test that may run beside this one.
  init(_ name: String) throws {
    self.name = name
    files = try #require(faulty_files_named(name))
    // These tests sync thousands of times, and a sync costs nothing in this folder.
    let shared = "/dev/shm/"
    let base = FileManager.default.isWritableFile(atPath: shared) ? shared : NSTemporaryDirectory()
    directory = base + "euripus-ledger-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
    heal()
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// Makes that many calls fail, from the nth on.
  func fail(_ kind: faulty_kind, nth: Int = 1, count: Int = .max) { faulty_files_fail(files, nth, kind, count) }
  func heal() { fail(FAULTY_IO, count: 0) }
  /// The calls since it was told to fail or healed, and those of them that failed.
  var calls: Int { faulty_files_calls(files) }
  var failures: Int { faulty_files_failures(files) }

  func server(
    _ models: [HostedModelType] = [.hosting { Ledger() }], durability: Durability = .relaxed,
    configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> TestServer {
    try TestServer(models) { configuration in
      configuration.sessions.storage = SessionStorage(SQLiteStore(path: path, vfs: name), description: path)
      configuration.sessions.durability = durability
      configure(&configuration)
    }
  }

  /// The store's record of a session, byte for byte, without the columns of its claim. The state is the first.
  func record(of url: String, in table: String = "euripus_sessions") throws -> [[UInt8]] {
    let database = try SQLiteDatabase(path: path, vfs: nil, makes: false)
    let id = url.split(separator: "/").last ?? ""
    let statement = try database.prepare(
      "SELECT state, keys, owner, model, schema, revision, used, checksum FROM \(table) WHERE id = ?1")
    let rows = try statement.rows(.text(String(id))) { row in (0..<8).map { row.blob($0) } }
    #expect(rows.count <= 1)
    return rows.first ?? []
  }

  /// Looks at the store as a server would find it, while none runs.
  func look<Result>(_ body: (SQLiteStore) throws -> Result) throws -> Result {
    let store = SQLiteStore(path: path)
    try store.inspect()
    defer { store.close() }
    return try body(store)
  }
}

/// A client with a session on a ledger, in which it enters numbers.
struct LedgerClient {
  let client: TestClient
  let url: String

  init(_ server: TestServer) async throws {
    client = try server.client()
    url = try await client.open("ledger")
  }

  init(_ client: TestClient, _ url: String) { (self.client, self.url) = (client, url) }

  /// The same client at another server, or on another connection.
  init(_ other: LedgerClient, at server: TestServer) throws {
    client = try server.client()
    client.goOn(with: other.client.cookie)
    url = other.url
  }

  /// Enters a number by an action, or every third number by a command that the request waits for.
  func enter(_ number: Int) async throws -> TestClient.Response {
    let isCommand = number % 3 == 0
    return try await client.request(
      "POST", "\(url)/actions/\(isCommand ? "work" : "append")", "\"\(number)\"",
      fields: [("Idempotency-Key", "t/\(number)")] + (isCommand ? [("Prefer", "wait=20")] : []))
  }

  /// The numbers that the ledger has; `nil` if it cannot be read.
  func entries() async throws -> [Int]? {
    let response = try await client.request("GET", url)
    guard response.status == 200, case .array(let entries)? = response.json?["state"]?["entries"] else { return nil }
    return entries.map { $0.text.flatMap { Int($0) } ?? -1 }
  }
}
