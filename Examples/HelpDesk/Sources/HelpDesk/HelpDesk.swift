// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusNodes

/// A help desk: people write tickets, and agents answer them, several at once.
///
/// `HelpDesk --store desk.db` is one server with a file. Three servers share `--store postgres://…`.
@main struct HelpDesk: EuripusApp {
  static var abstract: String { "A help desk for customers and agents." }

  @Option(help: "An agent's name and code, as anna:1234; several may be given.")
  var agent = ["anna:1234", "bob:5678"]
  @Option(help: "The directory for the files that customers send. Servers of one database share it.")
  var attachments = "attachments"
  @Option(help: "The number of tickets to begin with, if there are none.")
  var examples = 20_000
  @Option(help: "The minutes after which a ticket that waits becomes more urgent.")
  var patience = 60

  @Service var desk: Desk

  static var sharedStore: SharedStore? { .postgreSQL }
  static var migrations: [Migration] { Desk.migrations }

  func start(_ server: EuripusServer) async throws {
    guard let database = server.database else { throw NoStore() }
    desk = Desk(database, try Attachments(attachments), agents: agent)
    try await desk.fill(examples)
    server.background("escalation", onlyOnOne: true) { [desk, patience] in
      while true {
        try await desk.escalate(waitingFor: .seconds(60 * patience))
        try await Task.sleep(for: .seconds(30))
      }
    }
  }

  var models: Models {
    hosting(at: "/") { Queue(desk, $0) }
    hosting { NewTicket(desk, $0) }
    Answer.init
    hosting(at: "/tickets", scope: TicketRoom.scope) { TicketRoom(desk, $0) }
  }
}

struct NoStore: Error, CustomStringConvertible {
  var description: String { "the tickets have no place; expected '--store FILE', or '--store postgres://…'" }
}
