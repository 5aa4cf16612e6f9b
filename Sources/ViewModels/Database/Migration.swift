// SPDX-License-Identifier: MIT
import ObservableCore

/// A step that brings the app's own tables from one version of the app to the next.
///
/// ```swift
/// static let migrations = [
///   Migration(1, "CREATE TABLE seats (id INTEGER PRIMARY KEY, owner TEXT) STRICT"),
///   Migration(2, "ALTER TABLE seats ADD COLUMN price INTEGER NOT NULL DEFAULT 0", "CREATE INDEX free ON seats (price)"),
/// ]
/// ```
///
/// The steps that a database does not have yet are done when the server starts, or by `store migrate`: all in one
/// transaction, or none. A step that a server has done once is not changed afterwards.
public struct Migration: Sendable {
  /// A database that keeps sessions and an app's tables.
  package enum Dialect: Sendable { case sqlite, postgres }

  /// The number of the step. The first one is 1, and each is greater by 1 than the one before it.
  public let number: Int
  private let sqlite, postgreSQL: [SQLStatement]

  /// - Parameter statements: the statements, one after the other, on the app's own tables. They are for SQLite and
  ///   PostgreSQL alike.
  public init(_ number: Int, _ statements: SQLStatement...) {
    self.init(number, sqlite: statements, postgreSQL: statements)
  }

  /// A step whose statements differ, as those do that number rows: `INTEGER PRIMARY KEY` in SQLite, and
  /// `bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY` in PostgreSQL.
  public init(_ number: Int, sqlite: [SQLStatement], postgreSQL: [SQLStatement]) {
    (self.number, self.sqlite, self.postgreSQL) = (number, sqlite, postgreSQL)
  }

  package func statements(for dialect: Dialect) -> [SQLStatement] {
    switch dialect {
    case .sqlite: sqlite
    case .postgres: postgreSQL
    }
  }

  /// Ends the program if the steps are not numbered from 1 on.
  package static func check(_ steps: [Migration]) {
    for (index, step) in steps.enumerated() where step.number != index + 1 {
      refuseToStart(
        "migration \(step.number) stands at place \(index + 1)", expected: "the numbers 1, 2, 3 and so on",
        remedy: "number the steps in their order, and add new ones at the end")
    }
  }
}
