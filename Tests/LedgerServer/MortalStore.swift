// SPDX-License-Identifier: MIT
import Glibc
import Locking
import SQLiteSessions
import Storing
import ViewModels

/// A store whose process may die at its calls. As the control of the tests it can also answer before it has stored.
final class MortalStore: StoreInFront, TransactingStore, @unchecked Sendable {
  private let answersEarly: Bool
  private let file: SQLiteStore
  /// Whether what an action writes is committed by itself, as the control of the tests.
  private let isApart: Bool
  /// The changes that were answered last, and are not stored yet, of a store that answers early.
  private let late = Locked<[StoreChange]>([])
  /// The revision at which each session was stored or read last.
  private let revisions = Locked<[String: UInt64]>([:])

  init(_ store: SQLiteStore, answersEarly: Bool, isApart: Bool) {
    (self.answersEarly, file, self.isApart) = (answersEarly, store, isApart)
    super.init(store)
  }

  func migrate(_ steps: [Migration]) throws(StoreError) { try file.migrate(steps) }

  func begin(
    for session: HeldSession, survivesPowerCut: Bool, within limit: Duration, _ committer: Committer
  ) throws(DatabaseFailure) -> any StoreTransaction {
    let begin = { [file] () throws(DatabaseFailure) in
      try file.begin(for: session, survivesPowerCut: survivesPowerCut, within: limit, committer)
    }
    return isApart ? ApartTransaction(file.path, begin) : MortalTransaction(try begin())
  }

  func begin(
    isReading: Bool, within limit: Duration, _ committer: Committer
  ) throws(DatabaseFailure) -> any StoreTransaction {
    try file.begin(isReading: isReading, within: limit, committer)
  }

  override func claim(_ claims: [ClaimOffer], then answer: @escaping @Sendable ([ClaimOutcome]) -> Void) {
    // Several sessions may be claimed at once. Each counts.
    for _ in claims { Death.atClaim.mayCome() }
    super.claim(claims) { [revisions] outcomes in
      revisions.withLock { revisions in
        for case .held(let record, _) in outcomes { revisions[record.id] = record.revision }
      }
      for _ in outcomes { Death.afterClaim.mayCome() }
      answer(outcomes)
    }
  }

  override func commit(
    _ changes: [StoreChange], survivesPowerCut: Bool, then answer: @escaping @Sendable ([CommitOutcome]) -> Void
  ) {
    if answersEarly {
      // These are stored with the next ones, so a process that dies has always answered something that is lost.
      let before = late.withLock { late in
        defer { late = changes }
        return late
      }
      super.commit(before, survivesPowerCut: survivesPowerCut) { _ in }
      return answer(changes.map { _ in .durable })
    }
    Death.beforeCommit.mayCome()
    let hasLeaving = isLeaving(changes)
    if hasLeaving {
      Death.beforeLeaving.mayCome()
      // A window in which a request may come. Nothing is judged by its length.
      usleep(20_000)
    }
    super.commit(changes, survivesPowerCut: survivesPowerCut) { outcomes in
      if hasLeaving { Death.afterLeaving.mayCome() }
      Death.afterCommit.mayCome()
      answer(outcomes)
    }
  }

  /// Whether one of the changes stores a session that is stored already, but for its last use. Such a session
  /// is about to leave memory.
  private func isLeaving(_ changes: [StoreChange]) -> Bool {
    revisions.withLock { revisions in
      changes.reduce(into: false) { isLeaving, change in
        guard case .record(let record) = change.content else { return }
        if revisions.updateValue(record.revision, forKey: record.id) == record.revision { isLeaving = true }
      }
    }
  }
}

/// A transaction whose process may die before its commit, or after it.
private final class MortalTransaction: TransactionInFront {
  override func commit(_ change: StoreChange) -> CommitOutcome {
    Death.beforeCommit.mayCome()
    defer { Death.afterCommit.mayCome() }
    return super.commit(change)
  }
}

/// The statements of an action, each committed by itself, before the transaction of the session's change.
private final class ApartTransaction: StoreTransaction {
  private let path: String
  private let begin: () throws(DatabaseFailure) -> any StoreTransaction
  private var tables: AppTables?

  init(_ path: String, _ begin: @escaping () throws(DatabaseFailure) -> any StoreTransaction) {
    (self.path, self.begin) = (path, begin)
  }

  func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    if let tables { return try tables.run(statement, values) }
    let opened = try opened()
    tables = opened
    return try opened.run(statement, values)
  }

  private func opened() throws(DatabaseFailure) -> AppTables {
    do throws(StoreError) { return try AppTables(path: path) } catch {
      throw DatabaseFailure(.unavailable, error.description)
    }
  }

  func seal() {}
  func commit(telling _: [String]) {}
  func rollBack() {}

  func commit(_ change: StoreChange) -> CommitOutcome {
    do throws(DatabaseFailure) {
      let transaction = try begin()
      try transaction.seal()
      Death.betweenCommits.mayCome()
      return transaction.commit(change)
    } catch {
      return .unknown(StoreError(.unavailable, error.description))
    }
  }
}
