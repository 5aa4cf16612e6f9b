// SPDX-License-Identifier: MIT
import Dispatch
import Locking
import ViewModels

/// Connections for the transactions of an app's actions. They are made as they are needed, and kept.
// @unchecked Sendable: the connections are handed over whole, under a lock.
final class ConnectionPool: @unchecked Sendable {
  /// The most connections. PostgreSQL takes 100 by default, of all servers together.
  static let most = 40
  /// The connections that are kept while nobody uses them.
  private static let mostIdle = 8
  private static let patience: DispatchTimeInterval = .seconds(10)

  private let connect: () throws(PostgreSQLFailure) -> AppConnection
  private let free = DispatchSemaphore(value: most)
  private let lock = Locked(())
  private var idle: [AppConnection] = []
  private var isClosed = false

  init(_ connect: @escaping () throws(PostgreSQLFailure) -> AppConnection) { self.connect = connect }

  typealias Begun = (connection: AppConnection, answers: [PostgreSQLConnection.Answer])

  /// Takes a connection on which a transaction has begun, with some first steps. It blocks the thread while all are in use,
  /// for 10 s at most.
  func begin(with steps: [PostgreSQLConnection.Step]) throws(DatabaseFailure) -> Begun {
    guard free.wait(timeout: .now() + Self.patience) == .success else {
      throw DatabaseFailure(
        .unavailable, "\(Self.most) actions have the database, the most at once, and none of them has ended within 10 s"
      )
    }
    do throws(PostgreSQLFailure) {
      return try begun(steps)
    } catch {
      free.signal()
      throw DatabaseFailure(error)
    }
  }

  private func begun(_ steps: [PostgreSQLConnection.Step]) throws(PostgreSQLFailure) -> Begun {
    // A connection may have broken while it was idle.
    while let connection = lock.withLock({ _ in idle.popLast() }) {
      do throws(PostgreSQLFailure) {
        return (connection, try connection.begin(with: steps))
      } catch {
        if !error.endsConnection { throw error }
        // The others have most likely broken with it.
        lock.withLock { _ in idle = [] }
      }
    }
    let connection = try connect()
    return (connection, try connection.begin(with: steps))
  }

  /// Gives a connection back on which no transaction is open.
  func giveBack(_ connection: AppConnection) {
    lock.withLock { _ in
      if connection.isReusable, !isClosed, idle.count < Self.mostIdle { idle.append(connection) }
    }
    free.signal()
  }

  /// Closes the connections that nobody uses, and the others when they are given back.
  func close() {
    lock.withLock { _ in
      isClosed = true
      idle = []
    }
  }
}
