// SPDX-License-Identifier: MIT
import Locking
package import Storing

extension PostgreSQLStore {
  package func tell(_ topic: String) throws(StoreError) {
    try checkOpen()
    try explained { () throws(PostgreSQLFailure) in
      _ = try run(steps(telling: .topic(topic, by: "-", at: boot)))
    }
  }

  package func lock(_ name: String) throws(StoreError) -> (any StoreLock)? {
    try explained { () throws(PostgreSQLFailure) in
      let connection = try PostgreSQLConnection(address, defaults: Self.defaults)
      // The holder asks once a second. If its machine is gone without a word, the lock is as well.
      try connection.execute(["SET idle_session_timeout = '5s'"])
      try connection.compile([PostgreSQLLock.taking])
      let answer = try connection.run([(PostgreSQLLock.taking, [.text(name)])])
      return answer.first?.rows.first?.integer(0) == 1 ? PostgreSQLLock(connection) : nil
    }
  }
}

/// An advisory lock, which ends with its connection
/// (https://www.postgresql.org/docs/15/explicit-locking.html#ADVISORY-LOCKS).
// @unchecked Sendable: the connection is used under a lock alone.
final class PostgreSQLLock: StoreLock, @unchecked Sendable {
  /// Names are apart for each schema, as servers are.
  fileprivate static let taking = PostgreSQLConnection.Statement(
    name: "take_lock",
    sql: "SELECT pg_try_advisory_lock(hashtextextended('euripus ' || current_schema() || ' ' || $1, 0))")

  private let use = Locked(())
  private let connection: PostgreSQLConnection

  fileprivate init(_ connection: PostgreSQLConnection) { self.connection = connection }

  func isHeld() -> Bool {
    use.withLock { _ in
      do throws(PostgreSQLFailure) {
        try connection.execute(["SELECT 1"])
        return true
      } catch { return false }
    }
  }
}
