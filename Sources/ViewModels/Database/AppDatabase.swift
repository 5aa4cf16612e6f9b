// SPDX-License-Identifier: MIT

/// The database of the server's sessions, for code that belongs to no session: services, and work in the background.
///
/// ```swift
/// let open = try await database.read { try $0.query("SELECT count(*) FROM tickets WHERE isOpen", as: Int.self)[0] }
/// try await database.write(telling: "tickets") { try $0.execute("UPDATE tickets SET isOpen = 0 WHERE id = ?", id) }
/// ```
///
/// An action that changes tables takes a ``DatabaseTransaction`` instead, which is committed with its session.
public final class AppDatabase: Sendable {
  /// Runs a body in a transaction of its own, and tells topics when that is committed. It blocks the thread.
  package typealias Access =
    @Sendable (_ isReading: Bool, _ told: [String], _ body: (DatabaseTransaction) throws -> Void) throws -> Void

  /// Runs a job on one of a few threads, as soon as there is one. Those who wait for it hold no thread.
  package typealias Threads = @Sendable (@escaping @Sendable () -> Void) -> Void

  private let access: Access
  private let threads: Threads

  package init(on threads: @escaping Threads, _ access: @escaping Access) {
    (self.threads, self.access) = (threads, access)
  }

  /// Reads in a transaction: all that `body` reads is of one moment. Nobody waits for it.
  ///
  /// - Parameter body: runs on a thread of its own, and may run more than once.
  /// - Throws: ``DatabaseFailure``, also for a statement that writes; or the error of `body`.
  public func read<Result: Sendable>(
    _ body: @escaping @Sendable (DatabaseTransaction) throws -> Result
  ) async throws -> Result {
    try await run(isReading: true, [], body)
  }

  /// Writes in a transaction: all that `body` writes is there, or none of it.
  ///
  /// The rules of an action's transaction hold: in SQLite it has 100 ms from its first statement on. In PostgreSQL it is
  /// run anew, up to ten times, if another transaction came first. A failure of the kind
  /// ``DatabaseFailure/Kind/unavailable`` may come after the commit, if its answer was lost.
  ///
  /// - Parameters:
  ///   - topics: the topics that are told once it is committed (``SessionContext/tell(_:)``).
  ///   - body: runs on a thread of its own, and may run more than once.
  /// - Throws: ``DatabaseFailure``, or the error of `body`, after which all is undone.
  @discardableResult
  public func write<Result: Sendable>(
    telling topics: String..., body: @escaping @Sendable (DatabaseTransaction) throws -> Result
  ) async throws -> Result {
    try await run(isReading: false, topics, body)
  }

  private func run<Result: Sendable>(
    isReading: Bool, _ topics: [String], _ body: @escaping @Sendable (DatabaseTransaction) throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { [access] done in
      threads {
        done.resume(
          with: Swift.Result {
            var result: Result?
            try access(isReading, topics) { result = try body($0) }
            guard let result else { throw DatabaseFailure(.unavailable, "the transaction was not begun") }
            return result
          })
      }
    }
  }
}
