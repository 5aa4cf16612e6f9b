// SPDX-License-Identifier: MIT

extension Session {
  /// Calls `tell` when everything that waits for the turn now is done, and everything that it leads to.
  package nonisolated func whenIdle(_ tell: @escaping @Sendable () -> Void) {
    // This runs in the pool, where a thread keeps the turn while a job waits.
    executor.submit(.slow) { [executor] in executor.afterTurn(tell) }
  }
}
