// SPDX-License-Identifier: MIT
import Euripus
import Sessions

/// The place where sessions are kept: a file, or a database that servers share.
struct StoreAddress: Sendable {
  /// A path, a URL, or keywords; it may have a password in it.
  private let text: String
  /// The kind of database that the program can use; `nil` for none.
  private let shared: SharedStore?

  init(_ text: String, shared: SharedStore?) { (self.text, self.shared) = (text, shared) }

  /// The form of an address, for a person.
  static let expected = "a path, or postgres://USER@HOST/DATABASE"

  /// The path; `nil` for a database.
  var file: String? { isDatabase ? nil : text }

  /// Whether it is an address of PostgreSQL's, which may be misspelt in its further parts.
  private var isDatabase: Bool {
    text.hasPrefix("postgres://") || text.hasPrefix("postgresql://")
      || ["host", "hostaddr", "port", "dbname", "user", "service"].contains { text.hasPrefix($0 + "=") }
      || shared?.isAddress(text) == true
  }

  /// Whether it can be meant as it is. A misspelt address of a database is no path: the password in it would be in
  /// the name of a file, and in the log.
  var isClear: Bool { file.map { !$0.contains("://") && !$0.contains("password=") } ?? true }

  /// The reason why the program cannot use it, for a person; `nil` if it can.
  var fault: String? {
    guard isDatabase, shared == nil else { return nil }
    return """
      this program keeps sessions in files alone; expected a path, or a program that has the product EuripusNodes in its \
      package, and 'static var sharedStore: SharedStore? { .postgreSQL }' in its app
      """
  }

  /// The address for a person, without a password.
  var description: String {
    file ?? shared.map { "PostgreSQL database \($0.store(at: text).place)" } ?? "a PostgreSQL database"
  }

  /// - Parameter nodeURL: the URL at which the other servers of the database reach this one; `nil` if there are
  ///   none.
  /// - Returns: `nil` if the address has a ``fault``.
  func storage(nodeURL: String?) -> SessionStorage? {
    file.map { .sqlite($0) } ?? shared?.storage(at: text, nodeURL: nodeURL)
  }

  /// The store, which is not open yet; `nil` if the address has a ``fault``.
  var store: (any OperatedStore)? { file.map { SQLiteStore(path: $0) } ?? shared?.store(at: text) }
}
