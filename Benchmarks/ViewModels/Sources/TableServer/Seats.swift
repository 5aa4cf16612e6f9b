// SPDX-License-Identifier: MIT
import EuripusApp

/// Books seats, each by one row of a table.
final class Seats: ViewModel {
  @Observed var last = ""

  func book(_ seat: String, _ database: DatabaseTransaction) throws {
    try database.execute("INSERT INTO bookings (seat, owner) VALUES (?, ?)", seat, "maruko")
    last = seat
  }

  static let surface = Surface<Seats>("seats", .value("last", \.$last), .action("book", Seats.book).repeatable())
}
