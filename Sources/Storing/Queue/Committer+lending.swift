// SPDX-License-Identifier: MIT
import Dispatch
import Locking
package import ViewModels

/// Lends the store to a thread that needs it for longer than a call.
extension Committer {
  /// The use of the store by one thread. Nobody else uses it until it is given back.
  package final class Loan: Sendable {
    private let end = DispatchSemaphore(value: 0)

    /// To be called once.
    package func giveBack() { end.signal() }

    fileprivate func waitForEnd() { end.wait() }
  }

  /// Borrows the store, after all that it was asked to do before.
  ///
  /// It blocks the thread until the store is free. Between two loans the store has its turn.
  ///
  /// - Returns: `nil` if the store is closed.
  package func borrow() -> Loan? {
    lending.wait()
    let loan = Loan()
    let isGranted = DispatchSemaphore(value: 0)
    let isClosed = Locked(false)
    onThread(
      { _ in
        isGranted.signal()
        loan.waitForEnd()
        self.lending.signal()
      },
      orElse: {
        isClosed.withLock { $0 = true }
        self.lending.signal()
        isGranted.signal()
      })
    isGranted.wait()
    return isClosed.withLock { $0 } ? nil : loan
  }

  /// Begins a transaction in which an app's tables are changed.
  ///
  /// - Parameters:
  ///   - session: the session whose change is to be committed in it. All its changes were taken.
  ///   - limit: the time for which it may hold up other changes.
  package func begin(
    for session: HeldSession, _ durability: Durability, within limit: Duration
  ) throws(DatabaseFailure) -> any StoreTransaction {
    guard let store = store as? any TransactingStore else {
      throw DatabaseFailure(.unavailable, "the session store has no tables for an app; expected SQLite or PostgreSQL")
    }
    return try store.begin(for: session, survivesPowerCut: durability == .acknowledged, within: limit, self)
  }

  /// Runs a body in a transaction that belongs to no session. It blocks the thread.
  ///
  /// If another transaction came first, the body of one that writes runs anew, up to ten times.
  ///
  /// - Parameters:
  ///   - topics: the topics of which a store of several servers tells the others.
  ///   - limit: the time for which it may hold up other changes.
  package func transact(
    isReading: Bool, telling topics: [String], within limit: Duration, _ body: (DatabaseTransaction) throws -> Void
  ) throws {
    guard let store = store as? any TransactingStore else {
      throw DatabaseFailure(.unavailable, "the session store has no tables for an app; expected SQLite or PostgreSQL")
    }
    var repetitions = 0
    while true {
      let transaction = LateTransaction { () throws(DatabaseFailure) in
        try store.begin(isReading: isReading, within: limit, self)
      }
      do {
        try body(DatabaseTransaction(transaction))
        return try transaction.commit(telling: topics)
      } catch {
        let failure = transaction.rollBack() ?? error as? DatabaseFailure
        guard failure?.kind == .conflict, repetitions < DatabaseTransaction.mostRepetitions else {
          throw failure ?? error
        }
        repetitions += 1
      }
    }
  }

  /// Commits a change in a transaction. All earlier changes of the session are in the store by then.
  ///
  /// After an outcome other than `durable`, later changes of the session get the same, until ``release(_:_:)``.
  ///
  /// - Returns: the number of the change, for the `since` of the next one, and its outcome.
  package func commit(
    _ change: StoreChange, in transaction: any StoreTransaction
  ) -> (number: UInt64, outcome: CommitOutcome) {
    var change = change
    let refusal = state.withLock { state in state.queue.number(&change) }
    if let refusal {
      transaction.rollBack()
      return (change.number, refusal)
    }
    let outcome = transaction.commit(change)
    if outcome == .durable { noteWorks() } else { state.withLock { $0.queue.bar(change, outcome) } }
    if let error = outcome.error, error.kind != .conflict { note(error) }
    return (change.number, outcome)
  }
}
