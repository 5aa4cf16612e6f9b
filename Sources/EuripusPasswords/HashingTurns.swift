// SPDX-License-Identifier: MIT
import Dispatch

/// Lets few hashes of passwords be made at once: each takes 64 MiB and a processor for a tenth of a second.
///
/// The others wait in their order, off every session's turn; one that finds too many waiting is refused.
actor HashingTurns {
  private let mostAtOnce: Int
  private let mostWaiting: Int
  private var atWork = 0
  private var waiting: [CheckedContinuation<Void, Never>] = []

  /// Makes turns, in which by default about three seconds' worth may wait.
  init(mostAtOnce: Int = 2, mostWaiting: Int = 60) { (self.mostAtOnce, self.mostWaiting) = (mostAtOnce, mostWaiting) }

  /// Does the work when its turn comes, on a thread that no task needs: the executor of tasks has one for each
  /// processor.
  ///
  /// - Throws: ``PasswordError/busy``.
  func run<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async throws(PasswordError) -> Value {
    if atWork < mostAtOnce {
      atWork += 1
    } else {
      guard waiting.count < mostWaiting else { throw .busy }
      await withCheckedContinuation { waiting.append($0) }
    }
    defer { pass() }
    return await withCheckedContinuation { done in
      DispatchQueue.global(qos: .utility).async { done.resume(returning: work()) }
    }
  }

  /// Gives the turn to the next that waits.
  private func pass() {
    if waiting.isEmpty { atWork -= 1 } else { waiting.removeFirst().resume() }
  }
}
