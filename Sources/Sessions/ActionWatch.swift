// SPDX-License-Identifier: MIT
import Glibc
import Locking

/// Which actions hold their session's turn, and since when: what lets a watchdog name the one that holds it too long (D4).
final class ActionWatch: Sendable {
  /// An action that takes longer than this is reported, once.
  static let patience: Duration = .milliseconds(100)

  private struct Held {
    let action: String
    let model: String
    let since: ContinuousClock.Instant
    var isReported = false
  }

  /// By the thread that performs it; as many as there are threads at most.
  private let held = Locked<[pthread_t: Held]>([:])

  func during<Result>(
    _ action: String, of model: String, since: ContinuousClock.Instant, _ body: () throws -> Result
  ) rethrows -> Result {
    let thread = pthread_self()
    held.withLock { $0[thread] = Held(action: action, model: model, since: since) }
    defer { held.withLock { $0[thread] = nil } }
    return try body()
  }

  /// A line for each action that has been at work for too long and was not reported yet.
  func overdue(now: ContinuousClock.Instant) -> [String] {
    held.withLock { held in
      held.compactMap { thread, action in
        guard !action.isReported, now - action.since > Self.patience else { return nil }
        held[thread]?.isReported = true
        let milliseconds = (now - action.since) / .milliseconds(1)
        return "slow: '\(action.action)' of \(action.model) has held its session for \(Int(milliseconds)) ms"
      }
    }
  }
}
