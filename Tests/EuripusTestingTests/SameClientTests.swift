// SPDX-License-Identifier: MIT
import Euripus
import EuripusTesting
import JSONPatching
import Testing

private let bookings = Migration(1, "CREATE TABLE bookings (court INTEGER PRIMARY KEY, owner TEXT NOT NULL)")

/// A page on which a client books a court.
private final class Courts: ViewModel {
  private let context: SessionContext

  init(_ context: SessionContext) { self.context = context }

  func book(_ court: Int, _ database: DatabaseTransaction) throws {
    try database.execute("INSERT INTO bookings (court, owner) VALUES (?, ?)", court, context.client)
    context.tell("bookings")
  }

  static let surface = Surface<Courts>("courts", .action("book", Courts.book))
}

/// Another page of that client, with its own bookings.
private final class MyBookings: ViewModel {
  @Observed var courts: [Int] = []
  @Observed var user = ""
  private let context: SessionContext
  private var reading: TopicFollowing?

  init(_ context: SessionContext, _ database: TestDatabase) {
    self.context = context
    user = context.user.value?.id ?? ""
    reading = context.follow("bookings", by: self) { me, _ in
      let page = try me()
      page.courts = try database.query(
        "SELECT court FROM bookings WHERE owner = ? ORDER BY court", page.context.client, as: Int.self)
    }
  }

  func cancel(_ court: Int, _ database: DatabaseTransaction) throws {
    try database.execute("DELETE FROM bookings WHERE court = ? AND owner = ?", court, context.client)
    context.tell("bookings")
  }

  static let surface = Surface<MyBookings>(
    "my-bookings", .value("courts", \.$courts), .value("user", \.$user), .action("cancel", MyBookings.cancel))
}

@Suite(.timeLimit(.minutes(10))) struct `Two pages of one client` {
  @Test(arguments: [nil, User(id: "anna")]) func `have the client, its user and the database together`(
    _ user: User?
  ) async throws {
    let database = try TestDatabase([bookings])
    let courts = try ModelDriver(as: user, database: database) { Courts($0) }
    let mine = try courts.sameClient(as: user) { MyBookings($0, database) }
    let other = try ModelDriver(database: database) { MyBookings($0, database) }
    #expect(mine["user"] == .string(user?.id ?? ""))
    try courts.perform("book", 2)
    await mine.wait { $0["courts"] == [2] }
    try mine.perform("cancel", 2)
    await mine.wait { $0["courts"] == [] }
    for court in 3...20 {
      try courts.perform("book", .integer(Int64(court)))
      await mine.wait { $0["courts"] == .array((3...court).map { .integer(Int64($0)) }) }
    }
    #expect(other["courts"] == [])
  }
}
