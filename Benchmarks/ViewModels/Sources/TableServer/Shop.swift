// SPDX-License-Identifier: MIT
import EuripusApp

/// The goods in their table.
final class Shop: Sendable {
  struct Good: Codable, Equatable, Sendable {
    var id: Int
    var name: String
  }

  struct Page: Sendable {
    var first: Int
    var total: Int
    var goods: [Good]
  }

  private let database: AppDatabase

  init(_ database: AppDatabase) { self.database = database }

  func page(_ window: ListWindow) async throws -> Page {
    try await database.read { database in
      let total = try database.query("SELECT count(*) FROM goods", as: Int.self)[0]
      let first = window.within(total).first
      let goods: [Good] = try database.query(
        "SELECT id, name FROM goods ORDER BY id LIMIT ? OFFSET ?", window.count, first)
      return Page(first: first, total: total, goods: goods)
    }
  }

  /// Writes goods to begin with, if there are none. In parts, as a transaction has no more time than an action's.
  func fill(_ count: Int) async throws {
    var next = try await database.read { try $0.query("SELECT count(*) FROM goods", as: Int.self)[0] } + 1
    if next > 1 { return }
    while next <= count {
      let (first, last) = (next, min(next + 1_999, count))
      try await database.write { database in
        try database.execute(
          """
          INSERT INTO goods
            WITH RECURSIVE numbers (n) AS (
              SELECT CAST(? AS bigint) UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST(? AS bigint))
            SELECT n, 'Good number ' || n FROM numbers
          """, first, last)
      }
      next = last + 1
    }
  }
}
