// SPDX-License-Identifier: MIT
import Locking

/// The actions that have the turns of their sessions now, and the view models that are being made, with their
/// beginnings. By them the log can name an action that does not return.
///
/// The session, or its host, reports an action that took long and is over, with the time that it took.
final class ActionWatch: Sendable {
  /// The time after which an action that is still at work is reported, once.
  static let patience: Duration = .seconds(10)

  private struct Action {
    let number: UInt64
    var name: String
    let model: String
    let since: ContinuousClock.Instant
    var isReported = false
  }

  private struct State {
    var last: UInt64 = 0
    /// As many as threads are at work, at most.
    var actions: [Action] = []
  }

  private let state = Locked(State())

  /// Notes that an action begins. Gives a number for ``end(_:)``.
  func begin(_ name: String, of model: String, since: ContinuousClock.Instant) -> UInt64 {
    state.withLock { state in
      state.last += 1
      state.actions.append(Action(number: state.last, name: name, model: model, since: since))
      return state.last
    }
  }

  /// Notes that an action is known by another name from now on.
  func rename(_ number: UInt64, _ name: String) {
    state.withLock { state in
      guard let index = state.actions.firstIndex(where: { $0.number == number }) else { return }
      state.actions[index].name = name
    }
  }

  /// Notes that an action has returned.
  func end(_ number: UInt64) { state.withLock { $0.actions.removeAll { $0.number == number } } }

  /// Runs an action, `body`.
  func watching<Result>(
    _ name: String, of model: String, since: ContinuousClock.Instant, _ body: () throws -> Result
  ) rethrows -> Result {
    let number = begin(name, of: model, since: since)
    defer { end(number) }
    return try body()
  }

  /// The actions that have been at work for longer than ``patience`` and were not reported yet. O(threads).
  func overdue(now: ContinuousClock.Instant) -> [SessionReport] {
    state.withLock { state in
      var reports: [SessionReport] = []
      for (index, action) in state.actions.enumerated()
      where !action.isReported && now - action.since > Self.patience {
        state.actions[index].isReported = true
        reports.append(.slowAction(action.name, model: action.model, took: now - action.since, isOver: false))
      }
      return reports
    }
  }
}
