// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Foundation
import Testing

@testable import HelpDesk

@Suite(.timeLimit(.minutes(10))) struct `A help desk` {
  private let database: TestDatabase
  private let desk: Desk
  private let bob = User(id: "bob", name: "bob", roles: ["agent"])
  private let anna = User(id: "anna", name: "anna", roles: ["agent"])

  init() async throws {
    database = try TestDatabase(Desk.migrations)
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    desk = Desk(database.app, try Attachments(directory), agents: ["anna:1234"])
    try await desk.fill(1_000)
  }

  private func queue(as user: User?) throws -> ModelDriver {
    try ModelDriver(as: user, database: database) { [desk] in Queue(desk, $0) }
  }

  /// A form of a new ticket, which is filled in.
  private func form(_ title: String) throws -> ModelDriver {
    let form = try ModelDriver(database: database) { [desk] in NewTicket(desk, $0) }
    try form.set("author/value", "Carl")
    try form.set("title/value", .string(title))
    try form.set("text/value", "It does not work at all.")
    return form
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
    let form = try form("No")
    #expect(throws: SurfaceError.self) { try form.perform("send") }
    try form.set("title/value", "The door is stuck")
    try form.perform("send")
    #expect(form["sent"] == 1_001)
    await queue.wait { $0["tickets/count"] == 1_001 }
    #expect(queue["tickets/items/1001/title"] == "The door is stuck")
  }

  @Test func `gives the agents at a ticket the files that came with it`() async throws {
    let form = try form("The door is stuck")
    try form.upload("files", Array("%PDF-1.7 a".utf8), named: "Door.pdf", type: "application/pdf")
    try form.upload("files", Array("It creaks.".utf8), named: "Door.txt", type: "text/plain")
    try form.perform("send")
    #expect(form["files/files/order"] == [])
    let room = try room(1_001, as: anna)
    await room.wait { $0["attachments/order"] != [] }
    guard case .array(let files)? = room["attachments/order"] else {
      Issue.record("no list: \(room.state)")
      return
    }
    let names = try files.map { file in
      guard case .string(let key) = file else { return "" }
      return try String(decoding: room.download("attachments/items/\(key)/offer"), as: UTF8.self)
    }
    #expect(names == ["%PDF-1.7 a", "It creaks."])
  }

  @Test func `keeps no file of a ticket that is not taken`() throws {
    let form = try form("The door is stuck")
    try form.upload("files", Array("It creaks.".utf8), named: "Door.txt", type: "text/plain")
    _ = try database.execute("DROP TABLE attachments")
    #expect(throws: (any Error).self) { try form.perform("send") }
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.attachments.directory).isEmpty)
    #expect(form["files/files/order"] != [])
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
    let lines = String(decoding: try queue.download("exported"), as: UTF8.self).split(separator: "\r\n")
    #expect(lines.count == 1 + 333)
    #expect(lines.dropFirst().allSatisfy { $0.split(separator: ",")[3] == "closed" })
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
