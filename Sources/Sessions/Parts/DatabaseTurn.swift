// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import Storing
import ViewModels

/// The database transaction of the changes that a session is making. Only the session's turn uses it.
///
/// It begins with the first statement, once all earlier changes of the session are stored, and ends with the commit of
/// the session's change, or is rolled back.
final class DatabaseTurn: DatabaseSource, DatabaseConnection {
  private let gate: OutputGate
  private let begin: () throws(DatabaseFailure) -> any StoreTransaction
  private lazy var current = LateTransaction { [unowned self] () throws(DatabaseFailure) in
    try waitForEarlierChanges()
    return try begin()
  }
  /// Whether the changes are being made that have asked for it.
  private var isInUse = false
  /// Whether this thread may wait for a disk.
  var mayWait = true
  /// Whether the code of the changes may run once more, if another transaction came first.
  var mayRepeat = false
  /// Whether the changes sign somebody in or out.
  var signsIn: () -> Bool = { false }

  /// The time for which a first statement waits for earlier changes of its session.
  private static let patience: DispatchTimeInterval = .seconds(10)

  init(gate: OutputGate, begin: @escaping () throws(DatabaseFailure) -> any StoreTransaction) {
    (self.gate, self.begin) = (gate, begin)
  }

  func transaction() throws(DatabaseFailure) -> DatabaseTransaction {
    if !mayWait {
      throw DatabaseFailure(
        .statement,
        "the action is one of a row whose kind the surface does not name; expected it where the list is declared")
    }
    isInUse = true
    return DatabaseTransaction(self)
  }

  func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    guard isInUse else {
      throw DatabaseFailure(.statement, "the action is over, and its database cannot be used any more")
    }
    return try current.run(statement, values)
  }

  func seal() throws(DatabaseFailure) {
    isInUse = false
    if current.isOpen, signsIn() {
      throw DatabaseFailure(
        .statement,
        """
        an action that writes the database signs somebody in or out, which is stored by itself; expected two actions, of which \
        the second one writes
        """)
    }
    try current.seal()
  }

  /// Whether a transaction waits for its commit.
  var isOpen: Bool { current.isOpen }

  /// Takes the transaction, which the caller ends.
  func take() -> (any StoreTransaction)? { current.take() }

  /// Undoes what was written.
  ///
  /// - Returns: the failure that has undone it before, if there was one.
  @discardableResult
  func rollBack() -> DatabaseFailure? {
    isInUse = false
    return current.rollBack()
  }

  private func waitForEarlierChanges() throws(DatabaseFailure) {
    let answer = DispatchSemaphore(value: 0)
    let failure = Locked<SessionError?>(nil)
    gate.pass(
      { error in
        failure.withLock { $0 = error }
        answer.signal()
      }, after: gate.last)
    guard answer.wait(timeout: .now() + Self.patience) == .success else {
      throw DatabaseFailure(.unavailable, "the store has not taken the session's earlier changes within 10 s")
    }
    if let failure = failure.withLock({ $0 }) { throw DatabaseFailure(.unavailable, "\(failure)") }
  }
}

extension SessionError {
  /// The reason to tell a client whose action the database did not let through; `nil` for a fault of the action.
  ///
  /// The client does not get the database's own text, since it names tables.
  init?(_ error: DatabaseFailure) {
    switch error.kind {
    case .constraint, .statement, .undone: return nil
    case .conflict: self = .conflict
    case .full:
      self = .storeFull(
        "the database has no room for it, so nothing was applied; the server's log has the reason under this id")
    case .tooSlow:
      self = .storeUnavailable(
        "it took too long in the database, so nothing was applied; the server's log has the reason under this id")
    case .unavailable:
      self = .storeUnavailable(
        "the database cannot be used now, so nothing was applied; the server's log has the reason under this id")
    }
  }
}
