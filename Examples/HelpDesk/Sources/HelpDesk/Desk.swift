// SPDX-License-Identifier: MIT
import EuripusApp
import Foundation

/// The tickets, for all sessions.
struct Desk: Sendable {
  static let migrations = [
    Migration(
      1,
      """
      CREATE TABLE tickets (
        id bigint PRIMARY KEY, title text NOT NULL, author text NOT NULL, status text NOT NULL DEFAULT 'open',
        urgency bigint NOT NULL DEFAULT 1, changed bigint NOT NULL
      )
      """,
      "CREATE INDEX tickets_by_change ON tickets (changed, id)",
      "CREATE INDEX tickets_by_urgency ON tickets (urgency, changed, id)",
      """
      CREATE TABLE comments (
        key text PRIMARY KEY, ticket bigint NOT NULL REFERENCES tickets (id), author text NOT NULL, text text NOT NULL,
        at bigint NOT NULL
      )
      """, "CREATE INDEX comments_by_ticket ON comments (ticket, at)"),
    Migration(
      2,
      "CREATE TABLE attachments (file text PRIMARY KEY, ticket bigint NOT NULL REFERENCES tickets (id), name text NOT NULL)",
      "CREATE INDEX attachments_by_ticket ON attachments (ticket)"),
  ]

  let database: AppDatabase
  let attachments: Attachments
  private let codes: [String: String]

  /// - Parameter agents: the agents' names and codes, such as `anna:1234`.
  init(_ database: AppDatabase, _ attachments: Attachments, agents: [String]) {
    (self.database, self.attachments) = (database, attachments)
    codes = Dictionary(
      agents.compactMap { text in
        let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
        return parts.count == 2 ? (parts[0], parts[1]) : nil
      }, uniquingKeysWith: { first, _ in first })
  }

  static var now: Int { Int(Date().timeIntervalSince1970) }

  /// Whether this is the code of an agent.
  func isAgent(_ name: String, _ code: String) -> Bool { codes[name] == code && !code.isEmpty }

  /// The tickets in a window.
  func page(_ search: Search, _ window: ListWindow) async throws -> Page {
    let status = search.filter.status
    return try await database.read { database in
      let total = try database.query(
        "SELECT count(*) FROM tickets WHERE (? = '' OR status = ?) AND lower(title) LIKE ?", status, status,
        search.pattern, as: Int.self)[0]
      let first = window.within(total).first
      let tickets: [Ticket] = try database.query(
        search.order.page, status, status, search.pattern, window.count, first)
      return Page(first: first, total: total, tickets: tickets)
    }
  }

  /// A ticket, its comments, the first one first, and its attachments.
  func ticket(_ id: Int) async throws -> (Ticket, [Comment], [Attachment])? {
    try await database.read { database in
      let found: [Ticket] = try database.query(
        "SELECT id, title, author, status, urgency, changed FROM tickets WHERE id = ?", id)
      guard let ticket = found.first else { return nil }
      return (
        ticket,
        try database.query("SELECT key, author, text, at FROM comments WHERE ticket = ? ORDER BY at, key", id),
        try database.query("SELECT file, name FROM attachments WHERE ticket = ? ORDER BY name, file", id)
      )
    }
  }

  /// Makes tickets that have waited for long more urgent.
  ///
  /// - Returns: their number.
  @discardableResult
  func escalate(waitingFor time: Duration) async throws -> Int {
    let before = Self.now - Int(time / .seconds(1))
    return try await database.write(telling: "tickets") { database in
      try database.execute(
        "UPDATE tickets SET urgency = urgency + 1, changed = ? WHERE status = 'waiting' AND urgency < 3 AND changed < ?",
        Self.now, before)
    }
  }

  /// Writes tickets to begin with, if there are none.
  func fill(_ count: Int) async throws {
    var next = try await database.read { try $0.query("SELECT count(*) FROM tickets", as: Int.self)[0] } + 1
    if next > 1 { return }
    // Not all at once: others may write between two parts.
    while next <= count {
      let (first, last) = (next, min(next + 1_999, count))
      try await database.write { database in
        // Another server may begin at the same time.
        if try !database.query("SELECT id FROM tickets WHERE id = ?", first, as: Int.self).isEmpty { return }
        try database.execute(
          """
          INSERT INTO tickets
            WITH RECURSIVE numbers (n) AS (
              SELECT CAST(? AS bigint) UNION ALL SELECT n + 1 FROM numbers WHERE n < CAST(? AS bigint))
            SELECT n, 'Ticket ' || n || CASE n % 4 WHEN 0 THEN ': the printer is silent' WHEN 1 THEN ': a parcel is late'
              WHEN 2 THEN ': an invoice is wrong' ELSE ': the light blinks' END, 'customer ' || (n % 97),
              CASE n % 3 WHEN 0 THEN 'open' WHEN 1 THEN 'waiting' ELSE 'closed' END, 1 + n % 3, CAST(? AS bigint) + n FROM numbers
          """, first, last, Self.now - count)
      }
      next = last + 1
    }
  }
}
