// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

/// A ticket of a customer's. The owner is a part of the name, so that the room's rule knows it.
struct TicketName: Codable, JSONRepresentable, Sendable {
  var id: Int
  var owner: String
}

struct Tickets: Sendable {
  static let migrations = [
    Migration(
      1, "CREATE TABLE tickets (id bigint PRIMARY KEY, owner text NOT NULL, title text NOT NULL)",
      "CREATE TABLE comments (ticket bigint NOT NULL, number bigint NOT NULL, text text NOT NULL, PRIMARY KEY (ticket, number))",
      "INSERT INTO tickets VALUES (1, 'anna', 'Printer')")
  ]
  let database: AppDatabase

  func read(_ name: TicketName) async throws -> (title: String, comments: [String]) {
    try await database.read { tables in
      let titles = try tables.query(
        "SELECT title FROM tickets WHERE id = ? AND owner = ?", name.id, name.owner, as: String.self)
      let comments = try tables.query(
        "SELECT text FROM comments WHERE ticket = ? ORDER BY number", name.id, as: String.self)
      return (titles.first ?? "", titles.isEmpty ? [] : comments)
    }
  }
}

final class TicketRoom: ViewModel {
  @Observed var title = ""
  @Observed var comments: [String] = []
  @Observed private var savedTitle = ""
  lazy var canSave = Computed(self) { $0.title != $0.savedTitle }
  private let tickets: Tickets
  private let context: SessionContext
  private let name: TicketName
  private var reading: TopicFollowing?

  init(_ tickets: Tickets, _ context: SessionContext) {
    (self.tickets, self.context, name) = (tickets, context, context.params())
    reading = context.follow("tickets/\(name.id)", by: self, TicketRoom.read)
  }

  nonisolated(nonsending) func read() async throws {
    let ticket = try await tickets.read(name)
    // A title that somebody has begun to change stays.
    if title == savedTitle { title = ticket.title }
    (savedTitle, comments) = (ticket.title, ticket.comments)
  }

  func save(_ database: DatabaseTransaction) throws {
    try database.execute("UPDATE tickets SET title = ? WHERE id = ? AND owner = ?", title, name.id, name.owner)
    savedTitle = title
    context.tell("tickets/\(name.id)")
  }

  static let surface = Surface<TicketRoom>(
    "ticket", .params(TicketName.self), .twoWay("title", \.$title), .value("comments", \.$comments),
    .value("canSave", \.canSave), .action("save", TicketRoom.save, when: \.canSave),
    .stored("savedTitle", \.$savedTitle))

  static let scope = SessionScope.room { (ticket: TicketName, user) in
    user?.id == ticket.owner || user?.roles.contains("agent") == true
  }
}

/// A comment that one person is writing.
final class CommentBox: ViewModel {
  @Observed var text = ""
  private let context: SessionContext
  private let name: TicketName

  init(_ context: SessionContext) { (self.context, name) = (context, context.params()) }

  func send(_ database: DatabaseTransaction) throws {
    guard let user = context.user.value, user.id == name.owner || user.roles.contains("agent") else { return }
    try database.execute(
      """
      INSERT INTO comments SELECT id, (SELECT count(*) + 1 FROM comments WHERE ticket = tickets.id), ?
        FROM tickets WHERE id = ? AND owner = ?
      """, "\(user.name): \(text)", name.id, name.owner)
    text = ""
    context.tell("tickets/\(name.id)")
  }

  static let surface = Surface<CommentBox>(
    "comment-box", .params(TicketName.self), .twoWay("text", \.$text),
    .action("send", CommentBox.send).for(.signedIn).repeatable())
}

/// The Swift of the guide "A room over a row of a table", compiled and run.
@Suite(.timeLimit(.minutes(30))) struct `The guide on rooms over tables` {
  @Test func `has a room that shows the row, keeps what is being written, and saves it`() async throws {
    let database = try TestDatabase(Tickets.migrations)
    let (anna, gil) = (User(id: "anna", name: "Anna"), User(id: "gil", name: "Gil", roles: ["agent"]))
    let room = try ModelDriver(
      scope: TicketRoom.scope, as: anna, params: ["id": 1, "owner": "anna"], database: database
    ) { TicketRoom(Tickets(database: database.app), $0) }
    await room.wait { $0["title"] == "Printer" }
    let box = try room.beside(as: gil, params: ["id": 1, "owner": "anna"]) { CommentBox($0) }
    try room.set("title", "Printer on fire")
    try box.set("text", "Which one?")
    try box.perform("send")
    await room.wait { $0["comments"] == ["Gil: Which one?"] }
    #expect(room["title"] == "Printer on fire")
    try room.perform("save")
    #expect(try database.query("SELECT title FROM tickets", as: String.self) == ["Printer on fire"])
    #expect(room["canSave"] == false)
  }

  @Test func `lets nobody in by another owner's name, and shows nothing`() async throws {
    let database = try TestDatabase(Tickets.migrations)
    let room = try ModelDriver(
      scope: TicketRoom.scope, as: User(id: "bob"), params: ["id": 1, "owner": "bob"], database: database
    ) { TicketRoom(Tickets(database: database.app), $0) }
    await room.settled()
    #expect(room["title"] == "")
    #expect(throws: (any Error).self) {
      try ModelDriver(
        scope: TicketRoom.scope, as: User(id: "bob"), params: ["id": 1, "owner": "anna"], database: database
      ) {
        TicketRoom(Tickets(database: database.app), $0)
      }
    }
  }
}
