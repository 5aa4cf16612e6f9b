// SPDX-License-Identifier: MIT
import CSQLite
import Glibc
import Storing
import ViewModels

extension SQLiteFailure {
  /// The error to throw for this failure of the store at `path`, with the remedy.
  func explained(_ path: String) -> StoreError {
    switch kind {
    case .damaged:
      StoreError(
        .damaged,
        """
        the session store \(path) is damaged: \(saying). It was left as it is. Stop the server, keep a copy of the file and of \
        \(path)-wal, and put back a backup; or move both away to start without the sessions in it. \
        `sqlite3 \(path) .recover` may get some back
        """)
    case .full:
      StoreError(
        .full,
        "there is no room to write the session store \(path): \(saying). Make room on its file system, or raise the limit"
      )
    default:
      StoreError(
        .unavailable,
        "the session store \(path) could not be read or written: \(saying). Look at its file system and the permissions of the file"
      )
    }
  }

  var kind: StoreError.Kind {
    switch primary {
    case SQLITE_FULL: .full
    // SQLite calls only ENOSPC full. A quota and a limit on the size of files leave no room either.
    case SQLITE_IOERR where systemError == EDQUOT || systemError == EFBIG || systemError == ENOSPC: .full
    case SQLITE_IOERR, SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH,
      SQLITE_CANTOPEN, SQLITE_INTERRUPT, SQLITE_PROTOCOL, SQLITE_NOLFS:
      .unavailable
    // The statements are always the same, so one that fails has met tables that are not as they were made.
    default: .damaged
    }
  }

  /// The kind of an error of an app's statement.
  var databaseKind: DatabaseFailure.Kind {
    switch primary {
    case SQLITE_CONSTRAINT: .constraint
    case SQLITE_ERROR, SQLITE_MISMATCH, SQLITE_RANGE, SQLITE_AUTH, SQLITE_TOOBIG, SQLITE_SCHEMA: .statement
    default: kind == .full ? .full : .unavailable
    }
  }

  static let interrupted = SQLITE_INTERRUPT
  static let constraint = SQLITE_CONSTRAINT

  /// Whether the same call may succeed in a moment.
  var isPassing: Bool {
    switch primary {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_NOMEM, SQLITE_INTERRUPT, SQLITE_PROTOCOL: true
    case SQLITE_IOERR: kind != .full
    default: false
    }
  }

  private var saying: String {
    let isOfSystem = systemError != 0 && (primary == SQLITE_IOERR || primary == SQLITE_CANTOPEN)
    let system = isOfSystem ? ", the system '\(String(cString: strerror(systemError)))'" : ""
    return "SQLite says '\(message)' (\(code))\(system)"
  }
}

extension DatabaseFailure {
  /// The error of an app's statement.
  init(_ failure: SQLiteFailure, _ statement: String) {
    self.init(failure.databaseKind, "SQLite says '\(failure.message)' (\(failure.code)) of: \(statement)")
  }
}
