// SPDX-License-Identifier: MIT
package import Storing
package import ViewModels

/// The tables of an app beside those of the sessions.
extension PostgreSQLStore: TransactingStore {
  /// The row of the session is locked first: no other server takes the session over from then on.
  ///
  /// - Parameters:
  ///   - survivesPowerCut: counts for nothing here, as each of these transactions does.
  ///   - limit: counts for nothing either, as nobody waits for the action.
  package func begin(
    for session: HeldSession, survivesPowerCut: Bool, within limit: Duration, _ committer: Committer
  ) throws(DatabaseFailure) -> any StoreTransaction {
    let (connection, answers) = try pool.begin(with: [(Statements.find, [.text(session.id)])])
    let stored = answers.first?.rows.first.map { StoredState(found: $0) }
    let transaction = PostgreSQLTransaction(self, connection)
    if session.isAsStored(stored) { return transaction }
    transaction.rollBack()
    throw DatabaseFailure(ofSession: "the store does not have the session as this server does")
  }

  package func begin(
    isReading: Bool, within limit: Duration, _ committer: Committer
  ) throws(DatabaseFailure) -> any StoreTransaction {
    PostgreSQLTransaction(self, try pool.begin(with: isReading ? [(Statements.onlyRead, [])] : []).connection)
  }

  /// Makes a connection for an app's transactions. Any thread may call it.
  static func connectForApp(_ address: String) throws(PostgreSQLFailure) -> AppConnection {
    let connection = try PostgreSQLConnection(address, defaults: defaults)
    try connection.execute(settings)
    return try AppConnection(connection, with: Statements.ofChanges)
  }

  /// The longest time for the statements of all migrations together.
  private static let longestMigration: Duration = .seconds(3_600)

  package func migrate(_ steps: [Migration]) throws(StoreError) {
    var present = (number: 0, statement: "")
    typealias Found = Result<DoneMigrations.Left, StoreError>
    let (found, failure) = try explained { () throws(PostgreSQLFailure) -> (Found, PostgreSQLFailure?) in
      let connection = try connect()
      // One server after the other, however long that takes. The lock ends with the connection.
      try connection.execute(["SET lock_timeout = 0"])
      _ = try connection.execute([Self.migrationLock], within: Self.longestMigration)
      try connection.execute(["SET lock_timeout = '5s'"])
      let found = try Self.doneMigrations(connection).left(of: steps, in: place)
      guard case .success(let left) = found, !left.isEmpty else { return (found, nil) }
      let notes = left.notes.map { "INSERT INTO euripus_app_steps VALUES (\($0.number), '\($0.digest)')" }
      if left.steps.isEmpty {
        // Steps that were done before stores noted them. The tables are none of this.
        try connection.execute(["BEGIN"] + notes + ["COMMIT"])
        return (found, nil)
      }
      do throws(PostgreSQLFailure) {
        try connection.execute(["BEGIN"])
        for step in left.steps {
          for statement in step.statements(for: .postgres) {
            present = (step.number, statement.text)
            let sql = try Self.sql(statement.text)
            try connection.execute([sql], within: Self.longestMigration)
          }
        }
        try connection.execute(notes + ["UPDATE euripus_app SET version = \(steps.count)", "COMMIT"])
        return (found, nil)
      } catch {
        return (found, error)
      }
    }
    let left = try found.get()
    guard let failure else { return }
    if failure.databaseKind != .statement, failure.databaseKind != .constraint { throw failure.explained(place) }
    throw StoreError(
      .unavailable,
      """
      migration \(present.number) of the app's tables failed in \(place): PostgreSQL says '\(failure.message)' of: \
      \(present.statement). The tables are as they were, at migration \(left.version). Mend the step, and start again
      """)
  }

  private static func doneMigrations(_ connection: PostgreSQLConnection) throws(PostgreSQLFailure) -> DoneMigrations {
    let answers = try connection.execute([
      "SELECT version FROM euripus_app", "SELECT number, digest FROM euripus_app_steps",
    ])
    let noted = answers[1].rows.map { (Int($0.integer(0)), $0.text(1)) }
    return DoneMigrations(
      version: Int(answers[0].rows.first?.integer(0) ?? 0), digests: Dictionary(noted) { first, _ in first }, .postgres)
  }

  private static func sql(_ text: String) throws(PostgreSQLFailure) -> String {
    do throws(DatabaseFailure) { return try AppStatement(text, for: .tables).sql } catch {
      throw PostgreSQLFailure(state: "42501", message: error.description)
    }
  }
}
