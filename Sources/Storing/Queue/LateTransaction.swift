// SPDX-License-Identifier: MIT
import ViewModels

/// A transaction that begins with its first statement. One thread uses it.
final class LateTransaction: DatabaseConnection {
  private let begin: () throws(DatabaseFailure) -> any StoreTransaction
  private var current: (any StoreTransaction)?
  /// The failure that has undone all; `nil` if there was none.
  private var failure: DatabaseFailure?

  init(_ begin: @escaping () throws(DatabaseFailure) -> any StoreTransaction) { self.begin = begin }

  func run(_ statement: String, _ values: [SQLValue]) throws(DatabaseFailure) -> DatabaseRows {
    if let failure { throw failure }
    do throws(DatabaseFailure) { return try begun().run(statement, values) } catch {
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

  /// Commits what was written, if anything was, and tells topics.
  func commit(telling topics: [String]) throws(DatabaseFailure) {
    if let failure { throw failure }
    if current == nil, topics.isEmpty { return }
    let transaction = try begun()
    try transaction.seal()
    try transaction.commit(telling: topics)
    current = nil
  }

  /// - Returns: the failure that has undone all before, if there was one, whatever the code has made of it.
  func rollBack() -> DatabaseFailure? {
    current?.rollBack()
    current = nil
    return failure
  }
}
