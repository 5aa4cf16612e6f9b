// SPDX-License-Identifier: MIT
import Locking

/// Holds back the answers of a stored session's turns until the state that they show is in the store: nothing leaves
/// before (PROTOCOL §8).
///
/// Where a change is not taken, nobody is told what was built on it, but why: the copy in memory is worth nothing from there
/// on.
final class OutputGate: Sendable {
  /// Tells somebody something, or that it was not stored and why.
  typealias Output = @Sendable (SessionError?) -> Void

  private struct State {
    /// Changes that were handed to the store, and those of them that it has answered.
    var begun: UInt64
    var ended: UInt64 = 0
    var failure: SessionError?
    /// The time since which a change is waited for, and none was answered.
    var waitsSince: ContinuousClock.Instant?
    /// The outputs that are held, in the order of their changes.
    var held: [(change: UInt64, output: Output)] = []
  }

  private let state: Locked<State>

  /// - Parameter begun: how many changes are to be waited for from the beginning.
  init(begun: UInt64) { state = Locked(State(begun: begun)) }

  /// Whether everything is stored.
  var isOpen: Bool { state.withLock { $0.begun == $0.ended && $0.failure == nil } }

  /// Whether something waits for the store.
  var isWaiting: Bool { state.withLock { $0.begun != $0.ended && $0.failure == nil } }

  /// Whether the store has answered nothing for so long, though it was asked.
  func isStuck(_ now: ContinuousClock.Instant, after limit: Duration) -> Bool {
    state.withLock { $0.waitsSince.map { now - $0 > limit } ?? false }
  }

  /// A change is handed to the store. To be called in the session's turn.
  ///
  /// - Returns: its number.
  func begin(_ now: ContinuousClock.Instant) -> UInt64 {
    state.withLock { state in
      state.begun += 1
      if state.waitsSince == nil { state.waitsSince = now }
      return state.begun
    }
  }

  /// The store has answered a change, and with it those before.
  ///
  /// - Parameter failure: why it was not taken, if it was not.
  /// - Returns: the outputs to be told now, and whether this was the first failure.
  func end(_ change: UInt64, _ failure: SessionError?, _ now: ContinuousClock.Instant) -> (
    tell: @Sendable () -> Void, isFirstFailure: Bool
  ) {
    let (ready, error, isFirst) = state.withLock { state in
      state.ended = max(state.ended, change)
      state.waitsSince = state.ended == state.begun ? nil : now
      let isFirst = failure != nil && state.failure == nil
      if isFirst { state.failure = failure }
      let ready: [(change: UInt64, output: Output)]
      if state.failure != nil {
        ready = state.held
        state.held = []
      } else {
        let count = state.held.prefix { $0.change <= state.ended }.count
        ready = Array(state.held.prefix(count))
        state.held.removeFirst(count)
      }
      return (ready, state.failure, isFirst)
    }
    return ({ for each in ready { each.output(error) } }, isFirst)
  }

  /// Tells something: here and now if everything is stored that has begun to be, or else when it is.
  func pass(_ output: @escaping Output) {
    let (isHeld, failure) = state.withLock { state -> (Bool, SessionError?) in
      if state.failure != nil || state.begun == state.ended { return (false, state.failure) }
      state.held.append((state.begun, output))
      return (true, nil)
    }
    if !isHeld { output(failure) }
  }
}
