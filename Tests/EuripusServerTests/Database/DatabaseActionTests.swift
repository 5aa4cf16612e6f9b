// SPDX-License-Identifier: MIT
import Dispatch
import Euripus
import EuripusTesting
import JSONPatching
import Testing

/// Actions that write an app's own tables in the transaction of their session.
@Suite(.timeLimit(.minutes(30))) struct `An action with the database` {
  let hall: Hall
  let client: TestClient
  let url: String

  init() throws {
    hall = try Hall()
    client = try hall.server.client()
    url = try client.open("seats")
  }

  @discardableResult
  private func act(
    _ action: String, _ value: String? = nil, key: String? = nil, as client: TestClient? = nil, of url: String? = nil
  ) throws -> TestClient.Response {
    try (client ?? self.client).request(
      "POST", (url ?? self.url) + "/actions/" + action, value, fields: key.map { [("Idempotency-Key", $0)] } ?? [])
  }

  private func booked(_ client: TestClient? = nil, _ url: String? = nil) throws -> JSON? {
    try (client ?? self.client).request("GET", (url ?? self.url) + "/state/booked").json
  }

  /// The number of seats that have an owner.
  private func count() throws -> JSON? { try act("count").json?["result"] }

  @Test(arguments: [("bookAndFail", 500, "internal"), ("bookAndRefuse", 422, "refused")])
  func `undoes rows and the state where it throws`(action: String, status: Int, problem: String) throws {
    let failed = try act(action, "7")
    #expect((failed.status, failed.problem) == (status, problem))
    #expect(try booked() == [])
    #expect(try count() == 0)
    #expect(try act("book", "7").status == 200)
  }

  @Test func `changes rows and the state together, and is done once by a key, also after a restart`() throws {
    let first = try act("book", "7", key: "tab/1")
    #expect(try act("book", "7", key: "tab/1").text == first.text)
    try hall.restart()
    let later = try hall.server.client()
    later.goOn(with: client.cookie)
    let again = try act("book", "7", key: "tab/1", as: later)
    #expect(again.status == 200 && !again.text.contains("is taken"), "\(again.text)")
    #expect(try booked(later) == [7])
    #expect(try act("count", as: later).json?["result"] == 1)
  }

  @Test func `is one transaction with the others of its batch`() throws {
    let entries = { (seats: [Int], last: String) in
      let books = seats.map { #"{"do":"/book","value":\#($0)}"# }.joined(separator: ",")
      return "[\(books),\(last)]"
    }
    let failed = try client.request("POST", url + "/actions", entries([1, 2], #"{"do":"/bookAndFail","value":3}"#))
    #expect(failed.status == 500)
    #expect(try count() == 0)
    #expect(try booked() == [])
    let done = try client.request("POST", url + "/actions", entries([1, 2], #"{"do":"/count"}"#))
    #expect(done.json?["results"] == [.null, .null, 2])
  }

  @Test func `takes several values beside the database`() throws {
    try act("book", "1")
    #expect(try act("move", #"{"from":1,"to":2}"#).status == 200)
    #expect(try booked() == [2])
    #expect(try count() == 1)
  }

  @Test func `goes on after a rule of a table that did not hold`() throws {
    #expect(try act("add", "101").text.contains("added"))
    try act("book", "101")
    #expect(try act("add", "101").text.contains("was there"))
    #expect(try count() == 0)
  }

  @Test(arguments: [
    (0, "not authorized"), (1, "not authorized"), (2, "not authorized"), (3, "expected one statement"),
    (4, "no such table"),
    (5, "1 '?', and 0 values"), (6, "foreign key"), (7, "not authorized"),
    (8, "prohibited"), (9, "not authorized"), (10, "not authorized"), (11, "not authorized"),
    (12, "'the first column' is none of Int"), (13, "expected one statement"),
  ])
  func `is undone after a statement that is wrong or not the app's, and the log says why`(
    number: Int, reason: String
  ) throws {
    let answer = try act("run", "\(number)")
    #expect((answer.status, answer.problem) == (500, "internal"))
    #expect(hall.server.log.contains { $0.contains(reason) }, "\(hall.server.log)")
    #expect(try count() == 0)
    #expect(try act("book", "7").status == 200)
  }

  @Test(arguments: [true, false])
  func `is undone as a whole after a statement that undoes all, whatever it makes of that`(wraps: Bool) throws {
    let answer = try act("goOn", "\(wraps)")
    #expect((answer.status, answer.problem) == (500, "internal"))
    #expect(try booked() == [])
    #expect(try count() == 0)
  }

  @Test func `ends its session in the same transaction`() throws {
    #expect(try act("closeDown", "7", key: "tab/1").status == 200)
    #expect(try [404, 410].contains(client.request("GET", url).status))
    let other = try hall.server.client()
    #expect(try act("count", as: other, of: other.open("seats")).json?["result"] == 1)
  }

  @Test func `signs nobody in, as that is stored by itself`() throws {
    let answer = try act("enter", "7")
    #expect((answer.status, answer.problem) == (500, "internal"))
    #expect(hall.server.log.contains { $0.contains("signs somebody in or out, which is stored by itself") })
    #expect(try count() == 0)
  }

  @Test func `has no database any more when it is over`() throws {
    try act("keep")
    let late = try act("useKept")
    #expect(late.status == 500)
    #expect(hall.server.log.contains { $0.contains("the action is over") }, "\(hall.server.log)")
  }

  @Test func `gives a seat to one of many sessions that want it`() throws {
    let clients = try (0..<8).map { _ in
      let client = try hall.server.client()
      return (client, url: try client.open("seats"))
    }
    for seat in 1...20 {
      for (client, url) in clients { try client.send("POST", url + "/actions/book", "\(seat)") }
      for (client, _) in clients { #expect(try client.receive().status == 200) }
    }
    let all = try clients.flatMap { client, url -> [JSON] in
      guard case .array(let seats)? = try booked(client, url) else { return [] }
      return seats
    }
    #expect(all.count == 20)
    #expect(Set(all.map { "\($0)" }).count == 20)
    #expect(try count() == 20)
  }
}

/// An action that has the database for too long. Each of these tests waits for 100 ms of real time, and for no event
/// within it.
@Suite(.timeLimit(.minutes(30))) struct `An action that holds the database for too long` {
  let hall: Hall
  let client: TestClient
  let url: String

  init() throws {
    hall = try Hall(time: .milliseconds(100))
    client = try hall.server.client()
    url = try client.open("seats")
  }

  /// Expects that the action was undone, and that its key was not used up.
  private func expectUndone(_ answer: TestClient.Response, _ name: String) throws {
    #expect((answer.status, answer.problem) == (503, "store-unavailable"), "\(answer.text)")
    #expect(answer.text.contains("took too long in the database, so nothing was applied"))
    let line = hall.server.log.first { $0.contains("the action has had the database for 0.1 seconds") }
    #expect(line?.contains(name) == true, "\(hall.server.log)")
    try hall.restart()
    let later = try hall.server.client()
    later.goOn(with: client.cookie)
    let fields = [("Idempotency-Key", "tab/1")]
    #expect(try later.request("POST", url + "/actions/count", fields: fields).json?["result"] == 0)
    #expect(try later.request("GET", url + "/state/booked").json == [])
  }

  /// The first action holds the database itself, the second by an observer of what it has changed.
  @Test(arguments: ["bookSlowly", "bookAndNotice"])
  func `holds up others for its bound at most, and is undone though its code goes on`(action: String) throws {
    let other = try hall.server.client()
    let others = try other.open("counter")
    try client.send("POST", url + "/actions/" + action, "7", fields: [("Idempotency-Key", "tab/1")])
    hall.hold.isIn.wait()
    // It is answered though the first one goes on: that has lost the database.
    #expect(try other.request("POST", others + "/actions/add", "1").status == 200)
    hall.hold.mayGo.signal()
    try expectUndone(try client.receive(), action)
  }

  @Test(arguments: ["never", "endlessly"])
  func `is undone within a statement that has no end, whatever error it throws`(action: String) throws {
    try expectUndone(
      try client.request("POST", url + "/actions/" + action, fields: [("Idempotency-Key", "tab/1")]), action)
  }
}
