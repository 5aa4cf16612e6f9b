// SPDX-License-Identifier: MIT
import Euripus
import Storing

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

  /// Whether it is an address of a database, which may be misspelt in its further parts. Where the program can use no
  /// database, it looks like one.
  private var isDatabase: Bool {
    if text.hasPrefix("postgres://") || text.hasPrefix("postgresql://") { return true }
    guard let keyword = text.firstMatch(of: #/^\s*([a-z_]+)\s*=/#)?.1 else { return false }
    let isOfPlace = ["host", "hostaddr", "port", "dbname", "user", "service"].contains(keyword)
    return isOfPlace || shared.map { $0.isAddress(text) } ?? Self.otherKeywords.contains(keyword)
  }

  /// The keywords of libpq that do not say where the database is
  /// (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-PARAMKEYWORDS), but for those of keep-alive.
  private static let otherKeywords: Set<Substring> = [
    "password", "passfile", "channel_binding", "connect_timeout", "client_encoding", "options", "application_name",
    "sslmode", "sslcert", "sslkey", "sslrootcert", "sslcrl", "sslpassword", "requirepeer", "gssencmode", "krbsrvname",
    "target_session_attrs",
  ]

  /// Whether it can be meant as it is. A misspelt address of a database is no path: the password in it would be in
  /// the name of a file, and in the log.
  var isClear: Bool { isDatabase || !text.contains("://") && !text.contains(#/password\s*=/#) }

  /// The reason why the program cannot use it, for a person; `nil` if it can.
  var fault: String? {
    guard isDatabase, shared == nil else { return nil }
    return """
      this program can keep sessions only in files; expected a path, or a program that has the product EuripusNodes in its \
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
