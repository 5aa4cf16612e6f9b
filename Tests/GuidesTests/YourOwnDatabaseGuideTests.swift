// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusTesting
import Testing

final class SeatsModel: ViewModel {
  @Observed var booked: [Int] = []
  @Observed var free = 0

  func book(_ seat: Int, _ database: DatabaseTransaction) throws {
    let count = try database.execute("UPDATE seats SET owner = 'me' WHERE id = ? AND owner IS NULL", seat)
    if count == 1 { booked.append(seat) }
    try look(database)
  }

  func look(_ database: DatabaseTransaction) throws {
    free = try database.query("SELECT count(*) FROM seats WHERE owner IS NULL", as: Int.self)[0]
  }

  static let surface = Surface<SeatsModel>(
    "seats", .value("booked", \.$booked), .value("free", \.$free), .action("book", SeatsModel.book),
    .action("look", SeatsModel.look))
}

struct Theatre: EuripusApp {
  static var migrations: [Migration] {
    [
      Migration(
        1, "CREATE TABLE seats (id INTEGER PRIMARY KEY, owner TEXT)", "INSERT INTO seats (id) VALUES (1), (2), (3)")
    ]
  }

  var models: Models { hosting { SeatsModel() } }
}

/// The Swift of the guide "Your own database", compiled and run.
@Suite(.timeLimit(.minutes(30))) struct `The guide on one's own database` {
  @Test func `has two people want one seat`() throws {
    let database = try TestDatabase(Theatre.migrations)
    let (anna, bob) = try (
      ModelDriver(database: database) { SeatsModel() }, ModelDriver(database: database) { SeatsModel() }
    )
    try anna.perform("book", 2)
    try bob.perform("book", 2)
    #expect(anna["booked"] == [2])
    #expect(bob["booked"] == [] && bob["free"] == 2)
    #expect(try database.query("SELECT id FROM seats WHERE owner IS NOT NULL", as: Int.self) == [2])
  }
}
