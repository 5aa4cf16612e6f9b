// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import ObservableCore
package import Storing
package import ViewModels

extension SQLiteStore: TransactingStore {
  package func begin(
    for _: HeldSession, survivesPowerCut: Bool, within limit: Duration, _ committer: Committer
  ) throws(DatabaseFailure) -> any StoreTransaction {
    try beginWriting(survivesPowerCut: survivesPowerCut, within: limit, committer)
  }

  package func begin(
    isReading: Bool, within limit: Duration, _ committer: Committer
  ) throws(DatabaseFailure) -> any StoreTransaction {
    if isReading { return try SQLiteReading(readers, path) }
    return try beginWriting(survivesPowerCut: false, within: limit, committer)
  }

  private func beginWriting(
    survivesPowerCut: Bool, within limit: Duration, _ committer: Committer
  ) throws(DatabaseFailure) -> any StoreTransaction {
    guard let loan = committer.borrow() else { throw DatabaseFailure(.unavailable, "the session store is closed") }
    do throws(StoreError) {
      let connection = try reached()
      do throws(SQLiteFailure) {
        try beginTransaction(in: connection, survivesPowerCut: survivesPowerCut)
      } catch {
        throw error.explained(path)
      }
      let transaction = SQLiteTransaction(self, connection, loan, limit)
      committer.clock.after(limit, .global()) { [weak transaction] in transaction?.expire() }
      return transaction
    } catch {
      loan.giveBack()
      throw DatabaseFailure(error.kind == .full ? .full : .unavailable, error.description)
    }
  }
}

/// A transaction of an app on the store's connection, which is borrowed for it.
///
/// A timer ends it when it has taken too long: SQLite has one writer, for which all sessions wait.
// @unchecked Sendable: the connection is used under `use` alone, and the rest are constants and a lock.
final class SQLiteTransaction: StoreTransaction, @unchecked Sendable {
  private enum Phase {
    /// The app's statements run. The timer may end it.
    case open
    /// It waits for its commit. The timer may end it.
    case sealed
    /// It is being committed.
    case committing
    /// It is over; all was undone, for the reason if there is one.
    case ended(DatabaseFailure?)

    var isTimed: Bool {
      switch self {
      case .open, .sealed: true
      case .committing, .ended: false
      }
    }
  }

  private let store: SQLiteStore
  /// The connection, until it is given back.
  private var connection: SQLiteStore.StoreConnection?
  private let loan: Committer.Loan
  private let limit: Duration
  private let phase = Locked(Phase.open)
  /// Held while the connection is used.
  private let use = Locked(())

  init(
    _ store: SQLiteStore, _ connection: SQLiteStore.StoreConnection, _ loan: Committer.Loan,
    _ limit: Duration
  ) {
    (self.store, self.connection, self.loan, self.limit) = (store, connection, loan, limit)
  }

  private var tooSlow: DatabaseFailure {
    DatabaseFailure(
      .tooSlow,
      """
      the action has had the database for \(limit), for which every other commit waits, and what it wrote is undone. Expected \
      what takes time before its first statement, or in a command; or a statement that an index helps
      """)
  }

  func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    try use.withLock { _ throws(DatabaseFailure) in
      let connection = try present()
      let rows: DatabaseRows
      do throws(SQLiteFailure) {
        rows = try connection.forApp(statement).result(values) { [phase] in
          phase.withLock { if case .ended = $0 { true } else { false } }
        }
      } catch {
        let reason = self.reason(error, statement, in: connection)
        if reason.undoesAll { end(reason) }
        throw reason
      }
      // The time may have been over at the statement's end.
      _ = try present()
      return rows
    }
  }

  private func reason(
    _ failure: SQLiteFailure, _ statement: String, in connection: SQLiteStore.StoreConnection
  ) -> DatabaseFailure {
    if failure.primary == SQLiteFailure.interrupted { return tooSlow }
    let reason = DatabaseFailure(failure, statement)
    // SQLite undoes all by itself after some failures. A further statement would not be in a transaction.
    if reason.undoesAll || connection.database.isInTransaction { return reason }
    return DatabaseFailure(.undone, "\(reason.description), and all that the action wrote is undone")
  }

  /// The connection, while the app's statements may use it.
  private func present() throws(DatabaseFailure) -> SQLiteStore.StoreConnection {
    switch (phase.withLock { $0 }, connection) {
    case (.open, let connection?): return connection
    case (.ended(let reason?), _): throw reason
    default: throw DatabaseFailure(.statement, "the action is over, and its database cannot be used any more")
    }
  }

  func seal() throws(DatabaseFailure) {
    try use.withLock { _ throws(DatabaseFailure) in
      if try present().database.hasOpenForeignKeys {
        throw DatabaseFailure(.constraint, "a row that a foreign key names is not there at the end of the action")
      }
      // The timer may have been quicker.
      let isSealed = phase.withLock { phase in
        guard case .open = phase else { return false }
        phase = .sealed
        return true
      }
      if !isSealed { throw tooSlow }
    }
  }

  /// Keeps the timer from ending it from here on. The observers of the action, and the writing of the state, may have taken
  /// too long.
  private var isInTimeToCommit: Bool {
    phase.withLock { phase in
      guard case .sealed = phase else { return false }
      phase = .committing
      return true
    }
  }

  func commit(_ change: StoreChange) -> CommitOutcome {
    use.withLock { _ in
      guard isInTimeToCommit, let connection else { return .refused(StoreError(.unavailable, tooSlow.description)) }
      let outcome = store.commit(change, in: connection)
      phase.withLock { $0 = .ended(nil) }
      giveBack()
      return outcome
    }
  }

  func commit(telling topics: [String]) throws(DatabaseFailure) {
    try use.withLock { _ throws(DatabaseFailure) in
      guard isInTimeToCommit, let connection else { throw tooSlow }
      defer { giveBack() }
      do throws(SQLiteFailure) {
        try store.commitTransaction(in: connection)
        phase.withLock { $0 = .ended(nil) }
      } catch {
        let reason = DatabaseFailure(error, "COMMIT")
        phase.withLock { $0 = .ended(reason) }
        throw reason
      }
    }
  }

  func rollBack() { use.withLock { _ in end(nil) } }

  /// Undoes it because it has taken too long, also within a statement or between two.
  func expire() {
    let isLate = phase.withLock { phase in
      guard phase.isTimed else { return false }
      phase = .ended(tooSlow)
      return true
    }
    if isLate { use.withLock { _ in giveBack() } }
  }

  private func end(_ reason: DatabaseFailure?) {
    let isFirst = phase.withLock { phase in
      if case .ended = phase { return false }
      phase = .ended(reason)
      return true
    }
    if isFirst { giveBack() }
  }

  /// Undoes what is not committed, and gives the store back.
  private func giveBack() {
    guard let connection else { return }
    store.rollBack(in: connection)
    self.connection = nil
    loan.giveBack()
  }
}
