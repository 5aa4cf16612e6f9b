// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusNodes
import EuripusTesting
import Foundation
import JSONPatching
import Testing

/// A view model whose action reads one table and writes another.
private final class Office: ViewModel {
  struct Closed: PresentableError {
    let type = "closed"
    let detail = "The office is closed."
  }

  let papers: Uploads
  @Observed var sent = 0
  /// They never come.
  private let answers = AsyncStream<Void>.makeStream()
  private let path: String
  private let isIn: DispatchSemaphore
  private let mayGo: DispatchSemaphore

  init(_ context: SessionContext, path: String, isIn: DispatchSemaphore, mayGo: DispatchSemaphore) {
    papers = Uploads(context, each: .kilobytes(10))
    (self.path, self.isIn, self.mayGo) = (path, isIn, mayGo)
  }

  func keep(_ database: DatabaseTransaction) throws {
    guard try database.query("SELECT isopen FROM office", as: Bool.self)[0] else { throw Closed() }
    try database.execute("INSERT INTO letters VALUES (1)")
    for paper in papers.ready { try paper.move(to: path) }
    isIn.signal()
    mayGo.wait()
  }

  nonisolated(nonsending) func send() async throws {
    sent += 1
    for await _ in answers.stream {}
  }

  static let surface = Surface<Office>(
    "office", .uploads("papers", \.papers), .value("sent", \.$sent), .action("keep", Office.keep).repeatable(),
    .command("send", Office.send))
}

/// A repeatable action of which PostgreSQL finds out at its commit alone that another transaction came first.
@Suite(.timeLimit(.minutes(30))) struct `An action that came second at its commit` {
  private let schema: TestSchema
  private let isIn = DispatchSemaphore(value: 0)
  private let mayGo = DispatchSemaphore(value: 0)
  private let place = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
  private let server: TestServer
  private let client: TestClient
  private let url: String

  init() throws {
    schema = try TestSchema()
    let (address, isIn, mayGo, path) = (schema.address, isIn, mayGo, place)
    server = try TestServer([.hosting { Office($0, path: path, isIn: isIn, mayGo: mayGo) }]) {
      $0.sessions.storage = .postgreSQL(address)
      $0.sessions.migrations = [
        Migration(
          1, "CREATE TABLE office (isopen boolean NOT NULL)", "INSERT INTO office VALUES (true)",
          "CREATE TABLE letters (number bigint NOT NULL)")
      ]
    }
    client = try server.client()
    url = try client.open("office")
  }

  /// Has the action run, with another transaction before its commit that has read what it writes, and written what it has read.
  private func keep() throws -> TestClient.Response {
    let client = try server.client()
    client.goOn(with: self.client.cookie)
    try client.send("POST", "\(url)/actions/keep", fields: [("Idempotency-Key", "tab/1")])
    isIn.wait()
    try schema.execute(
      "BEGIN ISOLATION LEVEL SERIALIZABLE", "SELECT count(*) FROM letters", "UPDATE office SET isopen = false", "COMMIT"
    )
    mayGo.signal()
    return try client.receive()
  }

  @Test func `leaves no file where it has moved one`() throws {
    let sent = try client.request("PUT", "\(url)/uploads/papers/a", "abc", fields: [("Content-Type", "text/plain")])
    #expect(sent.status == 201)
    defer { try? FileManager.default.removeItem(atPath: place) }
    let refused = try keep()
    #expect((refused.status, refused.json?["detail"]) == (422, "The office is closed."), "\(refused.text)")
    #expect(!FileManager.default.fileExists(atPath: place))
    let files = try client.request("GET", url).json?["state"]?["papers"]?["files"]
    #expect(files?["items"]?["a"]?["ready"] == true)
    #expect(try schema.number("SELECT count(*) FROM letters") == 0)
  }

  @Test func `has nobody else's request done once more`() throws {
    let other = try server.client()
    other.goOn(with: client.cookie)
    try other.send("POST", "\(url)/actions/send", fields: [("Prefer", "wait=20")])
    while try client.request("GET", "\(url)/state/sent").json != 1 {}
    #expect(try keep().status == 422)
    let told = try other.receive()
    #expect((told.status, told.problem) == (503, "store-unavailable"), "\(told.text)")
    #expect(told.text.contains("may have been applied"))
    #expect(try client.request("GET", "\(url)/state/sent").json == 1)
  }
}
