// SPDX-License-Identifier: MIT

/// The database of the server's sessions, in the transaction of an action.
///
/// An action that takes one as its last argument writes the app's own tables. What it writes, what it changes in its view
/// model, and the request's key with its answer are one transaction of the database: all of it is there after the
/// answer, or none. If the action throws, all is undone.
///
/// ```swift
/// func book(_ seat: Int, _ database: DatabaseTransaction) throws {
///   let count = try database.execute("UPDATE seats SET owner = ? WHERE id = ? AND owner IS NULL", user, seat)
///   guard count == 1 else { throw SeatTaken() }
///   booked.append(seat)
/// }
/// ```
///
/// The transaction begins with the first statement. In SQLite, which has one writer, it may last for 100 ms: whatever else
/// takes time comes before that statement. It ends with the action, and cannot be used later.
public final class DatabaseTransaction {
  private let connection: any DatabaseConnection

  /// The most times that work is done anew because another transaction of the database came first.
  ///
  /// PostgreSQL's order of transactions is by pages of its indexes, so among 100 at once some that have nothing in common
  /// are undone, and a few of these several times.
  package static let mostRepetitions = 10

  package init(_ connection: any DatabaseConnection) { self.connection = connection }

  /// Runs a statement that gives no rows.
  ///
  /// - Parameter values: the values of the statement's `?`, in their order.
  /// - Returns: the number of rows that it has inserted, updated or deleted.
  @discardableResult
  public func execute(_ statement: SQLStatement, _ values: any SQLValueConvertible...) throws(DatabaseFailure) -> Int {
    try connection.run(statement.text, values.map(\.sqlValue)).changes
  }

  /// Runs a statement that gives rows. O(the rows).
  ///
  /// ```swift
  /// let free: [Seat] = try database.query("SELECT id, price FROM seats WHERE owner IS NULL")
  /// let count = try database.query("SELECT count(*) FROM seats", as: Int.self)[0]
  /// ```
  ///
  /// - Parameters:
  ///   - values: the values of the statement's `?`, in their order.
  ///   - type: the type of a row: one whose properties are named as the columns are, or that of the first column.
  /// - Throws: ``DatabaseFailure/Kind/statement`` also for a row that is none of the type.
  public func query<Row: Decodable>(
    _ statement: SQLStatement, _ values: any SQLValueConvertible..., as type: Row.Type = Row.self
  ) throws(DatabaseFailure) -> [Row] {
    try connection.run(statement.text, values.map(\.sqlValue)).decoded(as: type)
  }
}

// MARK: Refused

extension DatabaseTransaction {
  @available(
    *, unavailable,
    message: "a statement is a literal, with '?' for each value: execute(\"… WHERE id = ?\", id)"
  )
  public func execute(_ statement: String, _ values: any SQLValueConvertible...) -> Int { 0 }

  @available(
    *, unavailable,
    message: "a statement is a literal, with '?' for each value: query(\"… WHERE id = ?\", id)"
  )
  public func query<Row: Decodable>(
    _ statement: String, _ values: any SQLValueConvertible..., as type: Row.Type = Row.self
  ) -> [Row] { [] }
}

/// A connection to a database, in a transaction.
package protocol DatabaseConnection: AnyObject {
  /// Runs one statement.
  func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows
}

/// The result of a statement.
package struct DatabaseRows: Sendable {
  package var columns: [String] = []
  package var rows: [[SQLValue]] = []
  /// The number of rows that the statement has inserted, updated or deleted.
  package var changes = 0

  package init() {}

  /// - Throws: ``DatabaseFailure/Kind/statement`` for a row that is none of the type.
  package func decoded<Row: Decodable>(as type: Row.Type) throws(DatabaseFailure) -> [Row] {
    var decoded: [Row] = []
    for row in rows { decoded.append(try RowDecoding.row(type, columns: columns, row)) }
    return decoded
  }
}

/// The way from a view model's actions to the database, for one living view model.
public protocol DatabaseSource: AnyObject {
  /// The transaction of the changes that are being made; it is one for all of them.
  func transaction() throws(DatabaseFailure) -> DatabaseTransaction

  /// Ends the time in which the changes may use the transaction. It is called when all are made, and still can be undone.
  ///
  /// - Throws: the reason, if the transaction is undone already.
  func seal() throws(DatabaseFailure)
}
