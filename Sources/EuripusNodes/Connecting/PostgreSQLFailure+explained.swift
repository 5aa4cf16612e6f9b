// SPDX-License-Identifier: MIT
import Storing

extension PostgreSQLFailure {
  /// The error to throw for this failure. It tells the event, the place and the remedy.
  ///
  /// - Parameter place: the server and its database, for a person.
  func explained(_ place: String) -> StoreError {
    StoreError(kind, "the session store \(place) \(text)")
  }

  private var kind: StoreError.Kind {
    switch state {
    case Self.diskFull: .full
    case Self.noTable, "42703", "XX001", "XX002": .damaged
    default: .unavailable
    }
  }

  private var text: String {
    let said = "PostgreSQL says '\(message)'" + (state.isEmpty ? "" : " (\(state))")
    switch state {
    case Self.wrongPassword, Self.noAuthorization:
      return
        "does not let the server in: \(said). Look at the user and the password of the address, which may also be in "
        + "PGPASSWORD or PGPASSFILE, and at the server's pg_hba.conf"
    case Self.noDatabase:
      return "has no such database: \(said). Make it with 'createdb', or name another one"
    case Self.noRight:
      return
        "does not give its role the rights it needs: \(said). 'euripus store migrate' as the tables' owner makes them; the "
        + "server itself needs SELECT, INSERT, UPDATE and DELETE on the tables euripus_…"
    case Self.noTable, "42703":
      return "is not as it was made: \(said). Put back a backup, or give the server a database or a schema of its own"
    case Self.standby:
      return "is a standby, which cannot be written: \(said). Expected the primary: name both hosts, "
        + "postgres://one,two/…, and the one that can be written is taken"
    case Self.noSuchStatement, Self.statementExists, Self.sharedConnection:
      return
        "is behind a pooler that shares connections between transactions: \(said). Expected a connection of its own: set "
        + "pool_mode = session, or name PostgreSQL itself"
    case Self.earlierServers:
      return
        "has servers of an earlier version, which cannot read what this one stores: \(message). Stop them, wait 10 seconds, and "
        + "start again; nothing was changed"
    case Self.diskFull:
      return "has no room: \(said). Make room on its file system"
    case "":
      return "cannot be reached: \(said). Look at the address, and whether the server runs and lets this machine in"
    default:
      return "did not do what it was asked for: \(said)"
    }
  }
}
