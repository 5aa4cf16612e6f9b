// SPDX-License-Identifier: MIT
import Euripus
import EuripusNodes
import EuripusTesting
import JSONPatching
import Testing

/// A page that counts how often it was told.
private final class Listener: ViewModel {
  @Observed var count = 0
  @Observed var isOwn = false
  private let context: SessionContext
  private var reading: TopicFollowing?

  init(_ context: SessionContext) {
    self.context = context
    reading = context.follow("the tickets", by: self) { me, news in
      try me().count += 1
      try me().isOwn = news.isOwn
    }
  }

  func tell() { context.tell("the tickets") }
  func write(_ database: DatabaseTransaction) throws {
    try database.execute("INSERT INTO tickets VALUES (1)")
    tell()
  }

  static let surface = Surface<Listener>(
    "listener", .value("count", \.$count), .value("isOwn", \.$isOwn), .action("tell", Listener.tell),
    .action("write", Listener.write))
}

@Suite(.timeLimit(.minutes(30))) struct `A topic that is told at one server of several` {
  private let schema: TestSchema
  private let servers: [TestServer]
  private let clients: [TestClient]
  private let urls: [String]

  init() async throws {
    let schema = try TestSchema()
    self.schema = schema
    try schema.execute("CREATE TABLE tickets (id bigint)")
    servers = try (0..<2).map { _ in try schema.server([.hosting { Listener($0) }]) }
    clients = try servers.map { try $0.client() }
    urls = try clients.map { try $0.open("listener") }
    for index in 0..<2 { try await wait(index) { $0["count"] == 1 } }
  }

  /// Waits for a state of a session, by its own server.
  private func wait(_ index: Int, until isWanted: (JSON) -> Bool) async throws {
    try await clients[index].wait(urls[index], until: isWanted)
  }

  @Test(arguments: ["tell", "write"]) func `is told to those at the others, once`(action: String) async throws {
    for count in 2...4 {
      try await clients[0].request("POST", "\(urls[0])/actions/\(action)")
      try await wait(0) { $0["count"] == .integer(Int64(count)) && $0["isOwn"] == true }
      try await wait(1) { $0["count"] == .integer(Int64(count)) && $0["isOwn"] == false }
    }
  }

  @Test func `is told to all when notices may have been missed`() async throws {
    try schema.cut()
    for index in 0..<2 { try await wait(index) { $0["count"] != 1 } }
  }
}
