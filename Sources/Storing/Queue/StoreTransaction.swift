// SPDX-License-Identifier: MIT
package import ViewModels

/// A store in whose transactions an app's own tables are changed together with a session.
package protocol TransactingStore: SessionStore {
  /// Does the steps that the app's tables do not have yet, in one transaction. To be called while the store is open, before
  /// sessions are.
  ///
  /// - Throws: ``StoreError``; with ``StoreError/Kind/newer`` for tables of a later version of the app. The tables are as
  ///   before then.
  func migrate(_ steps: [Migration]) throws(StoreError)

  /// Begins a transaction. It blocks the thread until the store can begin one.
  ///
  /// - Parameters:
  ///   - session: the session whose change is to be committed in it. All its changes were taken.
  ///   - survivesPowerCut: as in ``SessionStore/commit(_:survivesPowerCut:then:)``.
  ///   - limit: the time after which a store with one writer undoes it, if it is not sealed.
  ///   - committer: the committer that calls the store, from which a store with one connection is borrowed.
  func begin(
    for session: HeldSession, survivesPowerCut: Bool, within limit: Duration, _ committer: Committer
  ) throws(DatabaseFailure) -> any StoreTransaction

  /// Begins a transaction that belongs to no session. It blocks the thread until the store can begin one.
  ///
  /// - Parameters:
  ///   - isReading: whether it only reads. Nobody waits for it then.
  ///   - limit: as above, for one that writes.
  func begin(
    isReading: Bool, within limit: Duration, _ committer: Committer
  ) throws(DatabaseFailure) -> any StoreTransaction
}

extension SessionStore {
  /// Does the steps of the app's own tables, if there are any.
  ///
  /// - Throws: ``StoreError``, also if the store has no tables for an app.
  package func migrateApp(_ steps: [Migration]) throws(StoreError) {
    if let store = self as? any TransactingStore { return try store.migrate(steps) }
    if steps.isEmpty { return }
    throw StoreError(
      .unavailable, "the app has tables of its own, for which this store has no place; expected SQLite or PostgreSQL")
  }
}

/// A transaction of a store, which ends with a commit or ``rollBack()``. One thread at a time uses
/// it.
package protocol StoreTransaction: DatabaseConnection {
  /// Ends the statements of the app. From then on the transaction lasts until it is committed or rolled back.
  ///
  /// - Throws: the reason, if the transaction was rolled back already, as it took too long.
  func seal() throws(DatabaseFailure)

  /// Commits a session's change with what the app has written. Nothing is written if the change is not taken.
  func commit(_ change: StoreChange) -> CommitOutcome

  /// Commits what the app has written, for no session.
  ///
  /// - Parameter topics: the topics of which a store of several servers tells the others.
  func commit(telling topics: [String]) throws(DatabaseFailure)

  /// Undoes all that was written. Nothing happens where that is done.
  func rollBack()
}
