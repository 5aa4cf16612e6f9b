// SPDX-License-Identifier: MIT
import EuripusApp

enum Status: String, CaseIterable, Codable, JSONRepresentable { case open, waiting, closed }

/// The status by which tickets are looked for.
enum Filter: String, CaseIterable, Codable, JSONRepresentable {
  case any, open, waiting, closed

  /// The status; empty for any.
  var status: String { self == .any ? "" : rawValue }
}

enum Order: String, CaseIterable, Codable, JSONRepresentable {
  case newest, oldest, urgent

  /// The tickets that fit some words and a status, in this order.
  var page: SQLStatement {
    switch self {
    case .newest:
      """
      SELECT id, title, author, status, urgency, changed FROM tickets
        WHERE (? = '' OR status = ?) AND lower(title) LIKE ? ORDER BY changed DESC, id LIMIT ? OFFSET ?
      """
    case .oldest:
      """
      SELECT id, title, author, status, urgency, changed FROM tickets
        WHERE (? = '' OR status = ?) AND lower(title) LIKE ? ORDER BY changed, id LIMIT ? OFFSET ?
      """
    case .urgent:
      """
      SELECT id, title, author, status, urgency, changed FROM tickets
        WHERE (? = '' OR status = ?) AND lower(title) LIKE ? ORDER BY urgency DESC, changed, id LIMIT ? OFFSET ?
      """
    }
  }
}

/// A row of `tickets`.
struct Ticket: Codable, JSONRepresentable, Equatable, Sendable {
  var id: Int
  var title: String
  var author: String
  var status: Status
  /// How urgent it is: from 1 to 3.
  var urgency: Int
  /// The time of its last change, in seconds since 1970.
  var changed: Int
}

extension Ticket {
  /// A ticket of which the number alone is known: that of a row whose values are put back after a restart.
  init(id: Int) { self.init(id: id, title: "", author: "", status: .open, urgency: 1, changed: 0) }
}

struct Comment: Codable, Equatable, Sendable {
  /// The key of the action that wrote it.
  var key: String
  var author: String
  var text: String
  var at: Int
}

/// The words, the status and the order by which tickets are looked for.
struct Search: Equatable, Sendable {
  var words = ""
  var filter = Filter.any
  var order = Order.newest

  /// A pattern of `LIKE`, in which the person's own `%` and `_` mean nothing else.
  var pattern: String { "%" + words.lowercased().filter { $0 != "%" && $0 != "_" && $0 != "\\" } + "%" }
}

/// A part of the tickets that were found.
struct Page: Sendable {
  var first: Int
  var total: Int
  var tickets: [Ticket]
}
