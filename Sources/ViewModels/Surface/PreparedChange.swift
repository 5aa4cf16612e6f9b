// SPDX-License-Identifier: MIT
import JSONPatching
import ObservableCore

/// A change that fits the surface: the work itself, and the condition that has to hold while it is done in a
/// transaction.
struct PreparedChange {
  let condition: (any SurfaceCondition)?
  /// - Parameter database: the way to the database; `nil` where the view model has none.
  /// - Returns: the JSON of the action's own result; `nil` for a change without one.
  /// - Throws: an error of the view model, or `CommandRefused`.
  let perform: (_ database: (any DatabaseSource)?) throws -> [UInt8]?
  /// Whether it takes the database.
  private(set) var usesDatabase = false
  /// Further work, done when all changes of `perform` have settled.
  var whenSettled: (() throws -> Void)?

  /// Prepares a change without a result.
  init(condition: (any SurfaceCondition)? = nil, _ perform: @escaping () throws -> Void) {
    self.condition = condition
    self.perform = { _ in
      try perform()
      return nil
    }
  }

  init<Result: JSONRepresentable>(condition: (any SurfaceCondition)?, giving perform: @escaping () throws -> Result) {
    self.condition = condition
    self.perform = { _ in Self.json(of: try perform()) }
  }

  /// Prepares a change that takes the database, without a result.
  init(condition: (any SurfaceCondition)?, with perform: @escaping (DatabaseTransaction) throws -> Void) {
    (self.condition, usesDatabase) = (condition, true)
    self.perform = { database in
      try perform(try Self.transaction(of: database))
      return nil
    }
  }

  /// Prepares a change that takes the database.
  init<Result: JSONRepresentable>(
    condition: (any SurfaceCondition)?, giving perform: @escaping (DatabaseTransaction) throws -> Result
  ) {
    (self.condition, usesDatabase) = (condition, true)
    self.perform = { database in Self.json(of: try perform(try Self.transaction(of: database))) }
  }

  private static func json(of result: some JSONRepresentable) -> [UInt8] {
    var writer = JSONWriter(capacity: 64)
    result.write(to: &writer)
    return writer.bytes
  }

  private static func transaction(of database: (any DatabaseSource)?) throws(DatabaseFailure) -> DatabaseTransaction {
    guard let database else {
      throw DatabaseFailure(
        .unavailable,
        "the view model has no database; expected a server with '--store FILE', and in a test 'ModelDriver(database:)'")
    }
    return try database.transaction()
  }
}

/// The refusal of a change by a command. It wraps the error, which a view model may have thrown itself.
struct CommandRefused: Error {
  let error: SurfaceError
}
