// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import ObservableCore
package import Storing
package import ViewModels

extension SQLiteStore: TransactingStore {
  package func begin(
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
    /// It waits for its commit.
    case sealed
    /// It is over; all was undone, for the reason if there is one.
    case ended(DatabaseFailure?)
  }

  private let store: SQLiteStore
  private let connection: SQLiteStore.StoreConnection
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
      try checkOpen()
      do throws(SQLiteFailure) {
        return try connection.forApp(statement).result(values)
      } catch {
        let reason = error.primary == SQLiteFailure.interrupted ? tooSlow : DatabaseFailure(error, statement)
        // SQLite undoes all by itself after some failures. What came next would not be in a transaction.
        if !connection.database.isInTransaction { end(reason) }
        throw reason
      }
    }
  }

  private func checkOpen() throws(DatabaseFailure) {
    switch phase.withLock({ $0 }) {
    case .open: return
    case .ended(let reason?): throw reason
    case .sealed, .ended(nil):
      throw DatabaseFailure(.statement, "the action is over, and its database cannot be used any more")
    }
  }

  func seal() throws(DatabaseFailure) {
    try use.withLock { _ throws(DatabaseFailure) in
      try checkOpen()
      if connection.database.hasOpenForeignKeys {
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

  func commit(_ change: StoreChange) -> CommitOutcome {
    use.withLock { _ in
      guard case .sealed = phase.withLock({ $0 }) else { stopProgram(bug: "a transaction is committed before its end") }
      let outcome = store.commit(change, in: connection)
      phase.withLock { $0 = .ended(nil) }
      loan.giveBack()
      return outcome
    }
  }

  func rollBack() { use.withLock { _ in end(nil) } }

  /// Undoes it because it has taken too long, also within a statement or between two.
  func expire() {
    let isLate = phase.withLock { phase in
      guard case .open = phase else { return false }
      phase = .ended(tooSlow)
      connection.database.interrupt()
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

  private func giveBack() {
    store.rollBack(in: connection)
    loan.giveBack()
  }
}
