// SPDX-License-Identifier: MIT

extension Session {
  /// Has `tell` called when everything that waits for the turn now is done, and what that leaves behind as well.
  package nonisolated func whenIdle(_ tell: @escaping @Sendable () -> Void) {
    // In the pool: a thread of it does not give the turn back while something waits.
    executor.submit(.slow) { [executor] in executor.afterTurn(tell) }
  }
}
