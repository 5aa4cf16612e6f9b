// SPDX-License-Identifier: MIT
import CFaultyFiles
import Euripus
import EuripusTesting
import Foundation
import JSONPatching
import Sessions
import Testing

@testable import SQLiteSessions

/// A store's place, and the servers on it, one after the other. The files of a server may fail.
final class TallyPlace {
  let directory: String
  var path: String { directory + "/sessions.db" }

  init() throws {
    // These tests sync hundreds of times, and a sync costs nothing in this folder.
    let shared = "/dev/shm/"
    let base = FileManager.default.isWritableFile(atPath: shared) ? shared : NSTemporaryDirectory()
    directory = base + "euripus-tally-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: directory) }

  /// - Parameter vfs: The name of files that fail; `nil` for files that do not.
  func server(
    _ models: [HostedModelType] = [.hosting { Tally() }], vfs: String? = nil, durability: Durability = .relaxed,
    configure: (inout ServerConfiguration) -> Void = { _ in }
  ) throws -> TestServer {
    try TestServer(models) { configuration in
      configuration.sessions.storage = SessionStorage(SQLiteStore(path: path, vfs: vfs), description: path)
      configuration.sessions.durability = durability
      configure(&configuration)
    }
  }

  /// Looks at the store as a server would find it, while none runs.
  func look<Result>(_ body: (SQLiteStore) throws -> Result) throws -> Result {
    let store = SQLiteStore(path: path)
    try store.inspect()
    defer { store.close() }
    return try body(store)
  }

  /// The store's record of a tally.
  func entries(of url: String) throws -> JSON? {
    let database = try SQLiteDatabase(path: path, vfs: nil, makes: false)
    let states = try database.prepare("SELECT state FROM sessions WHERE id = ?1").rows(
      .text(String(url.split(separator: "/").last ?? ""))
    ) { $0.blob(0) }
    return try states.first.map { try JSONReader.read($0) }?["entries"]
  }

  var bytes: [UInt8] {
    get throws { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
  }

  func write(_ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }
}

/// A client with a session on a tally, to which it adds numbers.
struct TallyClient {
  let client: TestClient
  let url: String

  init(_ server: TestServer) async throws {
    client = try server.client()
    url = try await client.open("tally")
  }

  init(_ client: TestClient, _ url: String) { (self.client, self.url) = (client, url) }

  /// The same client at another server.
  init(_ other: TallyClient, at server: TestServer) throws {
    client = try server.client()
    client.goOn(with: other.client.cookie)
    url = other.url
  }

  /// Adds a number by an action, or every third number by a command that the request waits for.
  func add(_ number: Int) async throws -> TestClient.Response {
    let isCommand = number % 3 == 0
    return try await client.request(
      "POST", "\(url)/actions/\(isCommand ? "work" : "add")", "\(number)",
      fields: [("Idempotency-Key", "t/\(number)")] + (isCommand ? [("Prefer", "wait=20")] : []))
  }

  func entries() async throws -> JSON? {
    let response = try await client.request("GET", url)
    return response.status == 200 ? response.json?["state"]?["entries"] : nil
  }
}

extension TestClient.Response {
  /// Whether the answer is a problem of the store (PROTOCOL §7).
  var isOfStore: Bool {
    let types = [507: "/problems/store-full", 503: "/problems/store-unavailable"]
    return self["Content-Type"]?.hasPrefix("application/problem+json") == true && types[status] != nil
      && json?["type"] == types[status].map { .string($0) }
  }
}

extension JSON {
  static func numbers(_ range: some Sequence<Int>) -> JSON { .array(range.map { .integer(Int64($0)) }) }
}
