// SPDX-License-Identifier: MIT

/// Keeps room in memory.
extension SessionHost {
  /// Has sessions leave memory if it is scarce. Sessions that were opened and never used end first. Then stored
  /// sessions leave that nobody has used for long.
  func makeRoom() {
    let leaving = table.leaving()
    for session in leaving.unused {
      session.submit { [table] isolated in
        // A request may have come meanwhile.
        if table.removeUnused(session) { isolated.end(.expired) }
      }
    }
    for session in leaving.idle {
      session.submit { [table] isolated in
        // The session is busy, so other sessions are tried first the next time.
        if isolated.isIdle { isolated.leaveWhenStored() } else { table.noteUse(of: session) }
      }
    }
  }

  /// The bytes that all sessions in memory may take, and the bytes that are counted for them.
  package var memoryLimit: Int { table.budget.limit }
  package var memoryBytes: Int { table.budget.bytes }
}
