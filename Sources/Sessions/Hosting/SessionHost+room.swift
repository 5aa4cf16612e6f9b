// SPDX-License-Identifier: MIT

/// Keeping room in memory.
extension SessionHost {
  /// Has sessions leave memory where there is little room: those that were opened and never used end; then stored ones leave
  /// that nobody has used for long.
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
        // Others come first the next time.
        if isolated.isIdle { isolated.leaveWhenStored() } else { table.noteUse(of: session) }
      }
    }
  }

  /// The bytes that all sessions in memory may take, and those that they take, as counted.
  package var memoryLimit: Int { table.budget.limit }
  package var memoryBytes: Int { table.budget.bytes }
}
