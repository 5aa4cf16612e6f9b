// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import Testing

/// The steps that make an app's own tables.
@Suite(.timeLimit(.minutes(30))) struct `The migrations of an app` {
  /// Starts the server again with other steps, and returns the reason why it does not start.
  private func reason(_ hall: Hall, _ steps: [Migration]) throws -> String {
    do { try hall.restart(migrations: steps) } catch { return "\(error)" }
    return "none"
  }

  @Test func `are done once, and the later ones when they come`() throws {
    let hall = try Hall()
    try hall.restart()
    try hall.restart(migrations: Seats.migrations + [Migration(3, "ALTER TABLE seats ADD COLUMN price INTEGER")])
    let client = try hall.server.client()
    #expect(try client.request("POST", client.open("seats") + "/actions/book", "7").status == 200)
  }

  @Test func `are all undone if one fails half-way, and the server says which`() throws {
    let hall = try Hall()
    let text = try reason(
      hall,
      Seats.migrations + [
        Migration(3, "DROP TABLE guests"),
        Migration(4, "ALTER TABLE seats ADD COLUMN price INTEGER", "DROP TABLE chairs"),
      ])
    #expect(
      text.contains("migration 4") && text.contains("no such table: chairs") && text.contains("at migration 2"),
      "\(text)")
    // The first server has stopped; one with the steps that were done starts.
    try hall.restart()
  }

  @Test func `are refused by an app that is earlier than its tables`() throws {
    let hall = try Hall()
    let text = try reason(hall, Array(Seats.migrations.prefix(1)))
    #expect(text.contains("at migration 2, of a later version of the app, which knows 1"), "\(text)")
  }

  @Test func `are refused if one that was done is another one now, but may be laid out anew`() throws {
    let hall = try Hall()
    let steps = { (price: SQLStatement) in Seats.migrations + [Migration(3, price)] }
    try hall.restart(migrations: steps("ALTER TABLE seats ADD COLUMN price INTEGER"))
    try hall.restart(migrations: steps("ALTER TABLE seats\n  ADD COLUMN price INTEGER"))
    let text = try reason(hall, steps("ALTER TABLE seats ADD COLUMN price REAL") + [Migration(4, "DROP TABLE guests")])
    #expect(
      text.contains("migration 3 of the app's tables is not the one that was done") && text.contains("as migration 5"),
      "\(text)")
    // Nothing was done, so the earlier app starts.
    try hall.restart(migrations: steps("ALTER TABLE seats ADD COLUMN price INTEGER"))
  }

  @Test func `are refused if they leave a row whose foreign key names none`() throws {
    let hall = try Hall()
    let text = try reason(hall, Seats.migrations + [Migration(3, "INSERT INTO guests VALUES (1, 999)")])
    #expect(text.contains("a row of 'guests' names one that is not there"), "\(text)")
  }

  @Test(
    arguments: [
      "DROP INDEX sessions_by_owner", "CREATE TABLE euripus_mine (id INTEGER)", "CREATE TEMP TABLE mine (id INTEGER)",
      "CREATE TRIGGER mine AFTER INSERT ON euripus_sessions BEGIN SELECT 1; END", "DELETE FROM euripus_sessions",
    ] as [SQLStatement])
  func `leave the server's own tables alone`(statement: SQLStatement) throws {
    let text = try reason(try Hall(), Seats.migrations + [Migration(3, statement)])
    #expect(text.contains("migration 3") && text.contains("not authorized"), "\(text)")
  }

  @Test func `have no foreign key to the server's tables, whose rows could not go then`() throws {
    let step = Migration(3, "CREATE TABLE owners (session TEXT REFERENCES euripus_sessions (id))")
    let text = try reason(try Hall(), Seats.migrations + [step])
    #expect(text.contains("a foreign key of 'owners' names a table of the server's"), "\(text)")
  }

  @Test func `may end with a comment`() throws {
    try Hall().restart(
      migrations: Seats.migrations + [Migration(3, "CREATE TABLE chairs (id INTEGER); -- not yet used")])
  }

  @Test func `are numbered from 1 on`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try TestServer([]) { $0.sessions.migrations = [Migration(2, "SELECT 1")] }
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("migration 2 stands at place 1"), "\(text)")
  }

  @Test func `need a store, as an action with the database does`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = try TestServer([.hosting { Seats(Blocking.Hold(), $0) }])
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    // It begins with the error: no line of the app is at fault.
    let error = #/^error: an action of 'seats' takes a DatabaseTransaction, and its sessions are not stored/#
    #expect(text.contains(error), "\(text)")
  }
}
