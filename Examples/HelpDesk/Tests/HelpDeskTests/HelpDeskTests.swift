// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

@testable import HelpDesk

@Suite(.timeLimit(.minutes(10))) struct `A help desk` {
  private let database: TestDatabase
  private let desk: Desk
  private let bob = User(id: "bob", name: "bob", roles: ["agent"])
  private let anna = User(id: "anna", name: "anna", roles: ["agent"])

  init() async throws {
    database = try TestDatabase(Desk.migrations)
    desk = Desk(database.app, agents: ["anna:1234"])
    try await desk.fill(1_000)
  }

  private func queue(as user: User?) throws -> ModelDriver {
    try ModelDriver(as: user, database: database) { [desk] in Queue(desk, $0) }
  }

  private func room(_ ticket: Int, as user: User) throws -> ModelDriver {
    try ModelDriver(
      scope: TicketRoom.scope, as: user, params: ["ticket": .integer(Int64(ticket))], database: database
    ) { [desk] in TicketRoom(desk, $0) }
  }

  private func answer(_ ticket: Int, as user: User) throws -> ModelDriver {
    try ModelDriver(as: user, params: ["ticket": .integer(Int64(ticket))], database: database) { Answer($0) }
  }

  @Test func `shows an agent a window of the tickets, as they are looked for`() async throws {
    let queue = try queue(as: anna)
    await queue.wait { $0["tickets/count"] == 1_000 }
    #expect(queue["tickets/items/1000/title"] != nil)
    try queue.set("order", "oldest")
    await queue.wait { $0["tickets/items/1"] != nil }
    try queue.set("tickets/window", ["first": 500, "count": 10])
    await queue.wait { $0["tickets/items/501"] != nil }
    try queue.set("words", "PRINTER")
    await queue.wait { $0["tickets/count"] == 250 }
    try queue.set("words", "999%")
    await queue.wait { $0["tickets/count"] == 1 }
  }

  @Test func `shows nothing to others, who cannot come in without a code`() async throws {
    let queue = try queue(as: nil)
    try queue.set("name/value", "anna")
    try queue.set("code/value", "wrong")
    try queue.perform("signIn")
    #expect(queue["refusal"] == "No agent has this name and code.")
    await queue.settled()
    #expect(queue["tickets/count"] == 0)
    #expect(throws: SurfaceError.self) { try queue.perform("export") }
  }

  @Test func `takes a ticket from a form, and tells those who look at the tickets`() async throws {
    let queue = try queue(as: anna)
    await queue.wait { $0["tickets/count"] == 1_000 }
    let form = try ModelDriver(database: database) { NewTicket($0) }
    try form.set("author/value", "Carl")
    try form.set("title/value", "No")
    try form.set("text/value", "It does not work at all.")
    #expect(throws: SurfaceError.self) { try form.perform("send") }
    try form.set("title/value", "The door is stuck")
    try form.perform("send")
    #expect(form["sent"] == 1_001)
    await queue.wait { $0["tickets/count"] == 1_001 }
    #expect(queue["tickets/items/1001/title"] == "The door is stuck")
  }

  @Test func `has two agents at one ticket, who see each other's answers`() async throws {
    let first = try room(3, as: anna)
    let second = try first.member(bob)
    await first.wait { $0["author"] == "customer 3" }
    for (agent, text) in [(anna, "Have you tried the switch?"), (bob, "It was off.")] {
      let answer = try answer(3, as: agent)
      try answer.set("text/value", .string(text))
      try answer.perform("send")
    }
    await first.wait { if case .array(let keys)? = $0["comments/order"] { keys.count == 2 } else { false } }
    #expect(try database.query("SELECT author FROM comments", as: String.self).sorted() == ["anna", "bob"])
    try second.perform("move", "closed")
    let late = try answer(3, as: anna)
    try late.set("text/value", "One more thing")
    try late.perform("send")
    #expect(late["refusal"] == "The ticket is closed.")
    await first.wait { $0["status"] == "closed" }
  }

  @Test func `exports what is looked for, page by page`() async throws {
    let queue = try queue(as: anna)
    try queue.set("status", "closed")
    try queue.perform("export")
    await queue.settled()
    guard case .string(let address)? = queue["export/result"] else {
      return #expect(Bool(false), "\(queue.state)")
    }
    let key = try #require(address.split(separator: "/").last).dropLast(4)
    let lines = try #require(desk.exports.lines(String(key)))
    #expect(lines.count == 1 + 333)
    #expect(Set(lines.dropFirst().map { $0[3] }) == ["closed"])
  }

  @Test func `makes tickets more urgent that have waited for long, up to the most urgent`() async throws {
    let before = try database.query("SELECT count(*) FROM tickets WHERE urgency = 3", as: Int.self)[0]
    for _ in 0..<3 { try await desk.escalate(waitingFor: .seconds(-10_000)) }
    let waiting = try database.query(
      "SELECT count(*) FROM tickets WHERE status = 'waiting' AND urgency < 3", as: Int.self)[0]
    #expect(waiting == 0)
    #expect(try database.query("SELECT count(*) FROM tickets WHERE urgency = 3", as: Int.self)[0] > before)
  }
}
