// SPDX-License-Identifier: MIT
import ViewModels

/// A connection for the transactions of an app's actions. One thread at a time uses it.
///
/// A statement that fails undoes only itself, as in SQLite: it has a savepoint.
final class AppConnection {
  typealias Statement = PostgreSQLConnection.Statement

  private struct Compiled {
    let statement: Statement
    let valueCount: Int
  }

  private let connection: PostgreSQLConnection
  /// The app's statements that this connection has compiled, by their texts.
  private var compiled: [String: Compiled] = [:]
  /// Whether a further transaction may use it.
  private(set) var isReusable = true

  /// - Parameter statements: statements of the server's that are to be run on it as well.
  init(_ connection: PostgreSQLConnection, with statements: [Statement]) throws(PostgreSQLFailure) {
    self.connection = connection
    try connection.execute(Self.settings)
    try connection.compile(
      [Self.begin, Self.commit, Self.rollBack, Self.save, Self.release, Self.undo, Self.check]
        + statements)
  }

  /// The settings of an app's transactions.
  ///
  /// A transaction gets the results that it would get alone, as with SQLite. Rows that it finds by an index do not
  /// conflict with the others of their table, so indexes are made cheap
  /// (https://www.postgresql.org/docs/15/transaction-iso.html#XACT-SERIALIZABLE).
  ///
  /// A commit waits for the disk, whatever durability the session has. Otherwise a crash of the database could take rows
  /// of which the session is stored once more, from the server's memory.
  private static let settings = [
    "SET plan_cache_mode = auto", "SET default_transaction_isolation = serializable", "SET random_page_cost = 0.1",
    "SET bytea_output = hex", "SET statement_timeout = '9s'", "SET synchronous_commit = on",
  ]

  private static let begin = Statement(name: "app_begin", sql: "BEGIN")
  private static let commit = Statement(name: "app_commit", sql: "COMMIT")
  private static let rollBack = Statement(name: "app_roll_back", sql: "ROLLBACK")
  private static let save = Statement(name: "app_save", sql: "SAVEPOINT statement")
  private static let release = Statement(name: "app_release", sql: "RELEASE SAVEPOINT statement")
  private static let undo = Statement(name: "app_undo", sql: "ROLLBACK TO SAVEPOINT statement")
  private static let check = Statement(name: "app_check", sql: "SET CONSTRAINTS ALL IMMEDIATE")

  // MARK: Transactions

  /// - Returns: the answers to the steps.
  func begin(
    with steps: [PostgreSQLConnection.Step]
  ) throws(PostgreSQLFailure) -> [PostgreSQLConnection.Answer] {
    Array(try run([(Self.begin, [])] + steps).dropFirst())
  }

  /// Only here a warning counts: the server may say that the commit is not on its standby.
  func commit() throws(PostgreSQLFailure) { _ = try run([(Self.commit, [])], heedsWarnings: true) }

  /// The server rolls back by itself what is open on a connection that is given up.
  func rollBack() {
    if !isReusable { return }
    do throws(PostgreSQLFailure) { _ = try run([(Self.rollBack, [])]) } catch { isReusable = false }
  }

  /// Checks those rules of the tables that are put off to the end of the transaction.
  func checkConstraints() throws(PostgreSQLFailure) { _ = try run([(Self.check, [])]) }

  func run(
    _ steps: [PostgreSQLConnection.Step], areTexts: Bool = false, heedsWarnings: Bool = false
  ) throws(PostgreSQLFailure) -> [PostgreSQLConnection.Answer] {
    do throws(PostgreSQLFailure) {
      return try connection.run(steps, areTexts: areTexts, heedsWarnings: heedsWarnings)
    } catch {
      // A migration of another server's may have given a statement other columns (0A000).
      if error.endsConnection || error.state == "0A000" { isReusable = false }
      throw error
    }
  }

  // MARK: Statements of the app

  /// Runs a statement of an action in the transaction that has begun.
  func run(_ text: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    let known = compiled[text]
    let statement = if let known { known } else { try parsed(text) }
    guard statement.valueCount == values.count else {
      throw DatabaseFailure(
        .statement, "the statement has \(statement.valueCount) '?', and \(values.count) values: \(text)")
    }
    for case .text(let value) in values where value.utf8.contains(0) {
      throw DatabaseFailure(.statement, "a text has the character 0, which PostgreSQL does not store: \(text)")
    }
    do throws(PostgreSQLFailure) {
      if known == nil { try compile(statement, text) }
      let step = (statement.statement, values.map { PostgreSQLConnection.Value($0) })
      // A statement that has just been compiled has its savepoint already.
      let before = known == nil ? [] : [(Self.save, [] as [PostgreSQLConnection.Value])]
      let answers = try run(before + [step, (Self.release, [])], areTexts: true)
      return DatabaseRows(answers[before.count])
    } catch {
      let failure = DatabaseFailure(error, text)
      if !failure.undoesAll { try undoStatement(after: failure) }
      throw failure
    }
  }

  private func parsed(_ text: String) throws(DatabaseFailure) -> Compiled {
    let parsed = try AppStatement(text, for: .rows)
    return Compiled(
      statement: Statement(name: "app\(compiled.count)", sql: parsed.sql), valueCount: parsed.valueCount)
  }

  private func compile(_ statement: Compiled, _ text: String) throws(PostgreSQLFailure) {
    _ = try run([(Self.save, [])])
    do throws(PostgreSQLFailure) { try connection.compile([statement.statement]) } catch {
      if error.endsConnection { isReusable = false }
      throw error
    }
    compiled[text] = statement
  }

  /// Undoes the statement that has failed, so that the action may go on.
  private func undoStatement(after failure: DatabaseFailure) throws(DatabaseFailure) {
    do throws(PostgreSQLFailure) { _ = try run([(Self.undo, []), (Self.release, [])]) } catch {
      isReusable = false
      throw DatabaseFailure(.undone, "\(failure.description), and all that the action wrote is undone")
    }
  }
}
