// SPDX-License-Identifier: MIT
import EuripusApp
import EuripusNodes

/// Serves view models over tables of an app's own, for `make bench` to see what they cost beside the same SQL by hand.
@main struct TableServer: EuripusApp {
  @Option(help: "The number of goods to begin with, if there are none.")
  var goods = 100_000

  @Service var shop: Shop

  static var sharedStore: SharedStore? { .postgreSQL }
  static var migrations: [Migration] {
    [
      Migration(
        1, "CREATE TABLE bookings (seat text PRIMARY KEY, owner text NOT NULL)",
        "CREATE TABLE goods (id bigint PRIMARY KEY, name text NOT NULL)")
    ]
  }

  func start(_ server: EuripusServer) async throws {
    guard let database = server.database else { throw NoStore() }
    shop = Shop(database)
    try await shop.fill(goods)
  }

  var models: Models {
    hosting { Seats() }
    hosting { Goods(shop, $0) }
  }
}

struct NoStore: Error, CustomStringConvertible {
  var description: String { "the tables have no place; expected '--store FILE', or '--store postgres://…'" }
}
