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
  private let begin: @Sendable () throws(DatabaseFailure) -> any StoreTransaction
  private var current: (any StoreTransaction)?
  /// Whether the changes are being made that have asked for it.
  private var isInUse = false
  /// Whether any of these changes has asked for it.
  private(set) var wasAskedFor = false

  /// The time for which a first statement waits for earlier changes of its session.
  private static let patience: DispatchTimeInterval = .seconds(10)

  init(gate: OutputGate, begin: @escaping @Sendable () throws(DatabaseFailure) -> any StoreTransaction) {
    (self.gate, self.begin) = (gate, begin)
  }

  func transaction() -> DatabaseTransaction {
    (isInUse, wasAskedFor) = (true, true)
    return DatabaseTransaction(self)
  }

  func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    guard isInUse else {
      throw DatabaseFailure(.statement, "the action is over, and its database cannot be used any more")
    }
    if let current { return try current.run(statement, values) }
    try waitForEarlierChanges()
    let begun = try begin()
    current = begun
    return try begun.run(statement, values)
  }

  func seal() throws(DatabaseFailure) {
    isInUse = false
    try current?.seal()
  }

  /// Whether a transaction waits for its commit.
  var isOpen: Bool { current != nil }

  /// Takes the transaction, which the caller ends.
  func take() -> (any StoreTransaction)? {
    defer { (current, wasAskedFor) = (nil, false) }
    return current
  }

  /// Undoes what was written.
  func rollBack() {
    isInUse = false
    take()?.rollBack()
  }

  private func waitForEarlierChanges() throws(DatabaseFailure) {
    let answer = DispatchSemaphore(value: 0)
    let failure = Locked<SessionError?>(nil)
    gate.pass { error in
      failure.withLock { $0 = error }
      answer.signal()
    }
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
    case .constraint, .statement: return nil
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
