// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusNodes
import EuripusTesting
import JSONPatching
import Testing

/// The word of an action that has read, and the permission to go on.
private struct Hold: Sendable {
  let isIn = DispatchSemaphore(value: 0)
  let mayGo = DispatchSemaphore(value: 0)
}

/// A view model whose actions look at a row, and write it.
private final class Stock: ViewModel {
  let taken = Observable(0, name: "taken")
  private let hold: Hold

  init(_ hold: Hold) { self.hold = hold }

  func take(_ database: DatabaseTransaction) throws {
    let left = try database.query("SELECT amount FROM stock", as: Int.self)[0]
    hold.isIn.signal()
    hold.mayGo.wait()
    try database.execute("UPDATE stock SET amount = ?", left - 1)
    taken.value += 1
  }

  func look(_ database: DatabaseTransaction) throws -> Int {
    try database.query("SELECT amount FROM stock", as: Int.self)[0]
  }

  func count() { taken.value += 1 }

  static let surface = Surface<Stock>(
    "stock", .value("taken", \.taken), .action("look", Stock.look), .action("count", Stock.count),
    .action("take", Stock.take).repeatable(), .action("takeOnce", Stock.take))
}

/// Actions that PostgreSQL undoes because another transaction came first.
@Suite(.timeLimit(.minutes(30))) struct `An action that came second` {
  private let schema: TestSchema
  private let hold = Hold()
  private let server: TestServer
  private let client: TestClient
  private let url: String

  init() throws {
    schema = try TestSchema()
    let hold = hold
    let address = schema.address
    server = try TestServer([.hosting { Stock(hold) }]) {
      $0.sessions.storage = .postgreSQL(address)
      $0.sessions.migrations = [
        Migration(1, "CREATE TABLE stock (amount bigint NOT NULL)", "INSERT INTO stock VALUES (20)")
      ]
    }
    client = try server.client()
    url = try client.open("stock")
  }

  /// Has the action run `times` times, each time with another transaction before its end.
  private func act(_ action: String, times: Int, key: String) throws -> TestClient.Response {
    try client.send("POST", "\(url)/actions/\(action)", fields: [("Idempotency-Key", key)])
    for _ in 0..<times {
      hold.isIn.wait()
      try schema.execute("UPDATE stock SET amount = amount - 1")
      hold.mayGo.signal()
    }
    return try client.receive()
  }

  /// Lets the next action through.
  private func letThrough() { hold.mayGo.signal() }

  private func taken() throws -> JSON? { try client.request("GET", "\(url)/state/taken").json }

  @Test func `is done anew if it is repeatable, and counts once`() throws {
    try client.send("POST", "\(url)/actions/take", fields: [("Idempotency-Key", "tab/1")])
    for round in 0..<3 {
      hold.isIn.wait()
      if round < 2 { try schema.execute("UPDATE stock SET amount = amount - 1") }
      hold.mayGo.signal()
    }
    #expect(try client.receive().status == 200)
    #expect(try taken() == 1)
    #expect(try schema.number("SELECT amount FROM stock") == 17)
  }

  @Test func `is given up after ten repetitions, and its key is not used up`() throws {
    let answer = try act("take", times: 11, key: "tab/1")
    #expect((answer.status, answer.problem) == (503, "store-unavailable"), "\(answer.text)")
    #expect(answer.text.contains("another transaction of the database came first, so nothing was applied"))
    letThrough()
    #expect(try act("take", times: 0, key: "tab/1").status == 200)
    #expect(try taken() == 1)
    #expect(try schema.number("SELECT amount FROM stock") == 8)
  }

  @Test func `is refused if its code may run once only, and may be asked for again`() throws {
    let answer = try act("takeOnce", times: 1, key: "tab/1")
    #expect((answer.status, answer.problem) == (503, "store-unavailable"), "\(answer.text)")
    #expect(answer["Retry-After"] != nil)
    letThrough()
    #expect(try act("takeOnce", times: 0, key: "tab/1").status == 200)
    #expect(try taken() == 1)
    #expect(try schema.number("SELECT amount FROM stock") == 18)
  }

  @Test func `finds out what the database has lost of its session, and is done at its next time`() throws {
    letThrough()
    #expect(try act("takeOnce", times: 0, key: "tab/1").status == 200)
    // The state after a crash of a database that does not wait for its disk.
    try schema.execute("UPDATE euripus_sessions SET number = 0, revision = 0")
    let answer = try act("takeOnce", times: 0, key: "tab/2")
    #expect((answer.status, answer.problem) == (503, "store-unavailable"), "\(answer.text)")
    letThrough()
    #expect(try act("takeOnce", times: 0, key: "tab/2").status == 200)
    #expect(try taken() == 2)
    #expect(try schema.number("SELECT amount FROM stock") == 18)
  }

  @Test func `holds up no other action, though 32 of its kind have the database`() throws {
    let slow = try (0..<32).map { _ in
      let client = try server.client()
      return (client: client, url: try client.open("stock"))
    }
    for (client, url) in slow { try client.send("POST", "\(url)/actions/take") }
    for _ in slow { hold.isIn.wait() }
    #expect(try client.request("POST", "\(url)/actions/count").status == 200)
    #expect(try client.request("POST", "\(url)/actions/look").json?["result"] == 20)
    // Each of them writes the same row, so all but one come second, and some too often.
    for _ in 0..<(11 * slow.count) { hold.mayGo.signal() }
    let statuses = try slow.map { try $0.client.receive().status }
    #expect(Set(statuses).isSubset(of: [200, 503]))
    #expect(try schema.number("SELECT amount FROM stock") == 20 - Int64(statuses.count { $0 == 200 }))
  }
}
