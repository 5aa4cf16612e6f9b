// SPDX-License-Identifier: MIT
import Storing
import ViewModels

/// A transaction of an app, on a connection of its own. Other sessions go on beside it.
// @unchecked Sendable: one thread at a time uses a transaction (StoreTransaction).
final class PostgreSQLTransaction: StoreTransaction, @unchecked Sendable {
  private let store: PostgreSQLStore
  /// The connection, until it is given back.
  private var connection: AppConnection?
  private var isSealed = false
  /// The reason for which all is undone, if there is one.
  private var failure: DatabaseFailure?

  init(_ store: PostgreSQLStore, _ connection: AppConnection) { (self.store, self.connection) = (store, connection) }

  deinit { rollBack() }

  func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    let connection = try present()
    do throws(DatabaseFailure) { return try connection.run(statement, values) } catch {
      if error.undoesAll { undo(for: error) }
      throw error
    }
  }

  /// The connection, while the app's statements may use it.
  private func present() throws(DatabaseFailure) -> AppConnection {
    if let failure { throw failure }
    guard let connection, !isSealed else {
      throw DatabaseFailure(.statement, "the action is over, and its database cannot be used any more")
    }
    return connection
  }

  func seal() throws(DatabaseFailure) {
    let connection = try present()
    isSealed = true
    do throws(PostgreSQLFailure) { try connection.checkConstraints() } catch {
      let reason = DatabaseFailure(error)
      undo(for: reason)
      throw reason
    }
  }

  /// Commits in two steps, as the first one tells whether this server still has the session.
  ///
  /// If no answer comes to the second one, the outcome is unknown. The next claim on the session waits for the row that
  /// the first step has locked, and finds what has become of it.
  func commit(_ change: StoreChange) -> CommitOutcome {
    guard let connection, isSealed else {
      return .refused(StoreError(.unavailable, failure?.description ?? "the transaction is over"))
    }
    defer { rollBack() }
    do throws(PostgreSQLFailure) {
      guard try connection.run(store.steps(change))[0].affected == 1 else { return .fenced }
      try connection.commit()
      self.connection = nil
      store.pool.giveBack(connection)
      return .durable
    } catch {
      if error.databaseKind == .conflict {
        return .refused(StoreError(.conflict, DatabaseFailure(error).description))
      }
      let explained = error.explained(store.place)
      return error.isPassing ? .unknown(explained) : .refused(explained)
    }
  }

  func commit(telling topics: [String]) throws(DatabaseFailure) {
    guard let connection, isSealed else {
      throw failure ?? DatabaseFailure(.unavailable, "the transaction is over")
    }
    do throws(PostgreSQLFailure) {
      let telling = topics.flatMap { store.steps(telling: .topic($0, by: "-", at: store.boot)) }
      if !telling.isEmpty { _ = try connection.run(telling) }
      try connection.commit()
    } catch {
      rollBack()
      throw DatabaseFailure(error)
    }
    self.connection = nil
    store.pool.giveBack(connection)
  }

  func rollBack() {
    guard let connection else { return }
    connection.rollBack()
    self.connection = nil
    store.pool.giveBack(connection)
  }

  private func undo(for reason: DatabaseFailure) {
    failure = reason
    rollBack()
  }
}
