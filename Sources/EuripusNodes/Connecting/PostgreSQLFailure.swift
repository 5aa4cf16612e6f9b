// SPDX-License-Identifier: MIT

/// An error that PostgreSQL gave in place of an answer, or a connection that gave no answer.
struct PostgreSQLFailure: Error {
  /// The five characters by which PostgreSQL tells errors apart
  /// (https://www.postgresql.org/docs/15/errcodes-appendix.html); empty where the connection failed.
  let state: String
  /// One line without a password.
  let message: String

  init(state: String, message: String) {
    self.state = state
    self.message = message.split(whereSeparator: \.isNewline).map { $0.trimmingSpaces() }.joined(separator: "; ")
  }

  /// The failure of a connection that could not be made, or that broke.
  ///
  /// libpq has no state for it. So the server's reason for a refused connection is found by its words, in English.
  static func connection(_ message: String) -> PostgreSQLFailure {
    let words = [
      ("password authentication failed", wrongPassword), ("no password supplied", wrongPassword),
      ("no pg_hba.conf entry", wrongPassword), ("is not permitted to log in", wrongPassword),
      ("session is read-only", standby), ("hot standby", standby),
    ]
    if let state = words.first(where: { message.contains($0.0) })?.1 {
      return PostgreSQLFailure(state: state, message: message)
    }
    guard message.contains("FATAL:"), message.contains("does not exist") else {
      return PostgreSQLFailure(state: "", message: message)
    }
    return PostgreSQLFailure(state: message.contains("role \"") ? wrongPassword : noDatabase, message: message)
  }

  /// Whether the server, or this connection to it, is of no use now, but may be again.
  ///
  /// The reasons: no connection, a server that shuts down, stands by or lets nobody in, a conflict with others, too
  /// few resources. The server may have done the failed steps or not.
  var isPassing: Bool {
    if state == Self.diskFull { return false }
    if [Self.standby, Self.noSuchStatement, Self.anotherBoot, ""].contains(state) { return true }
    return ["01", "08", "28", "3D", "40", "53", "55", "57", "58"].contains { state.hasPrefix($0) }
  }

  /// Whether the values of one change are at fault. Only that change is refused then.
  var isOfValue: Bool { state.hasPrefix("22") || state.hasPrefix("54") }

  /// Whether a new connection is needed.
  var endsConnection: Bool {
    state.isEmpty || state == Self.standby || state == Self.noSuchStatement || state == Self.idleInTransaction
      || ["08", "28", "3D", "57"].contains { state.hasPrefix($0) }
  }

  static let diskFull = "53100"
  static let standby = "25006"
  static let idleInTransaction = "25P03"
  static let noSuchStatement = "26000"
  static let statementExists = "42P05"
  /// A code of our own, none of PostgreSQL's: the connection is shared with others.
  static let sharedConnection = "euripus-shared"
  /// A code of our own as well: this node got another boot meanwhile, so steps with its earlier boot count no more.
  static let anotherBoot = "euripus-boot"
  /// A code of our own as well: servers of an earlier version run, which could not read the tables' present format.
  static let earlierServers = "euripus-earlier"
  static let noRight = "42501"
  static let noTable = "42P01"
  static let wrongPassword = "28P01"
  static let noAuthorization = "28000"
  static let noDatabase = "3D000"
}

extension Substring {
  fileprivate func trimmingSpaces() -> String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}
