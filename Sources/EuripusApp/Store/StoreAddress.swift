// SPDX-License-Identifier: MIT
import Euripus
import Glibc
import PostgreSQLSessions
import SQLiteSessions
import Sessions

/// The place where sessions are kept: a file, or a PostgreSQL database.
struct StoreAddress: Sendable, Equatable {
  /// A path, a URL, or libpq's keywords; it may have a password in it.
  private let text: String

  init(_ text: String) { self.text = text }

  /// The path; `nil` for a database.
  var file: String? { PostgreSQLStore.isAddress(text) ? nil : text }

  /// Whether it can be meant as it is. A misspelt address of a database is no path: the password in it would be in
  /// the name of a file, and in the log.
  var isClear: Bool { file.map { !$0.contains("://") && !$0.contains("password=") } ?? true }

  /// The form of an address, for a person.
  static let expected = "a path, or postgres://USER@HOST/DATABASE"

  /// The address for a person, without a password.
  var description: String { file ?? "PostgreSQL database \(PostgreSQLStore(text).place)" }

  /// - Parameter nodeURL: the URL at which the other servers of the database reach this one; `nil` if there are
  ///   none.
  func storage(nodeURL: String?) -> SessionStorage { file.map { .sqlite($0) } ?? .postgreSQL(text, nodeURL: nodeURL) }

  /// The store; it is not open yet.
  var store: any OperatedStore { file.map { SQLiteStore(path: $0) } ?? PostgreSQLStore(text) }
}
