// SPDX-License-Identifier: MIT
package import ViewModels

/// A transaction that begins with its first statement, and remembers what has undone it. One thread uses it. After its end
/// it can begin anew.
package final class LateTransaction: DatabaseConnection {
  private let begin: () throws(DatabaseFailure) -> any StoreTransaction
  private var current: (any StoreTransaction)?
  /// The failure that has undone all; `nil` if there was none.
  private var failure: DatabaseFailure?

  package init(_ begin: @escaping () throws(DatabaseFailure) -> any StoreTransaction) { self.begin = begin }

  package func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    try remembering { () throws(DatabaseFailure) in try begun().run(statement, values) }
  }

  /// Ends the statements, if there were any.
  package func seal() throws(DatabaseFailure) {
    try remembering { () throws(DatabaseFailure) in try current?.seal() }
  }

  private func remembering<Result>(_ body: () throws(DatabaseFailure) -> Result) throws(DatabaseFailure) -> Result {
    if let failure { throw failure }
    do throws(DatabaseFailure) { return try body() } catch {
      if error.undoesAll { failure = error }
      throw error
    }
  }

  private func begun() throws(DatabaseFailure) -> any StoreTransaction {
    if let current { return current }
    let begun = try begin()
    current = begun
    return begun
  }

  /// Whether it has begun.
  package var isOpen: Bool { current != nil }

  /// Takes the transaction, which the caller ends.
  package func take() -> (any StoreTransaction)? {
    defer { (current, failure) = (nil, nil) }
    return current
  }

  /// Commits what was written, if anything was, and tells topics.
  func commit(telling topics: [String]) throws(DatabaseFailure) {
    if let failure { throw failure }
    if current == nil, topics.isEmpty { return }
    let transaction = try begun()
    try transaction.seal()
    try transaction.commit(telling: topics)
    current = nil
  }

  /// Undoes what was written.
  ///
  /// - Returns: the failure that has undone it before, if there was one, whatever the code has made of it.
  package func rollBack() -> DatabaseFailure? {
    let reason = failure
    take()?.rollBack()
    return reason
  }
}
