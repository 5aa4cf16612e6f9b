// SPDX-License-Identifier: MIT
import Locking

/// Holds back the answers of a stored session's turns until the state that they show is in the store. Nothing
/// leaves before that (PROTOCOL §8).
///
/// If a change is not taken, the answers that were built on it are not told. Each reader is told the reason
/// instead. From then on the copy in memory is worth nothing.
final class OutputGate: Sendable {
  /// Tells a reader its answer, or the reason why it was not stored.
  typealias Output = @Sendable (SessionError?) -> Void

  private struct State {
    /// The number of changes that were handed to the store, and of those that it has answered.
    var begun: UInt64
    var ended: UInt64 = 0
    /// The last change that the store has taken.
    var stored: UInt64 = 0
    var failure: SessionError?
    /// The time since which a change has been waiting without an answer of the store.
    var waitsSince: ContinuousClock.Instant?
    /// The outputs that are held, in the order of their changes.
    var held: [(change: UInt64, output: Output)] = []
  }

  private let state: Locked<State>

  /// - Parameter begun: the number of changes that are to be waited for from the beginning.
  init(begun: UInt64) { state = Locked(State(begun: begun)) }

  /// Whether everything is stored.
  var isOpen: Bool { state.withLock { $0.begun == $0.ended && $0.failure == nil } }

  /// Whether the store has refused a change.
  var hasFailed: Bool { state.withLock { $0.failure != nil } }

  /// Whether a change waits for the store.
  var isWaiting: Bool { state.withLock { $0.begun != $0.ended && $0.failure == nil } }

  /// Whether the store was asked, and has answered nothing for longer than `limit`.
  func isStuck(_ now: ContinuousClock.Instant, after limit: Duration) -> Bool {
    state.withLock { $0.waitsSince.map { now - $0 > limit } ?? false }
  }

  /// Notes that a change is handed to the store. To be called in the session's turn.
  ///
  /// - Returns: the number of the change.
  func begin(_ now: ContinuousClock.Instant) -> UInt64 {
    state.withLock { state in
      state.begun += 1
      if state.waitsSince == nil { state.waitsSince = now }
      return state.begun
    }
  }

  /// Notes that the store has answered a change, and with it all earlier ones.
  ///
  /// - Parameter failure: the reason why the change was not taken; `nil` if it was.
  /// - Returns: a function that tells the outputs which are ready, and whether this was the first failure.
  func end(_ change: UInt64, _ failure: SessionError?, _ now: ContinuousClock.Instant) -> (
    tell: @Sendable () -> Void, isFirstFailure: Bool
  ) {
    let (ready, error, isFirst) = state.withLock { state in
      state.ended = max(state.ended, change)
      state.waitsSince = state.ended == state.begun ? nil : now
      let isFirst = failure != nil && state.failure == nil
      if isFirst { state.failure = failure }
      if state.failure == nil { state.stored = state.ended }
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

  /// The number of the last change that was handed to the store. To be asked for in the session's turn.
  var last: UInt64 { state.withLock { $0.begun } }

  /// Tells an output when a change is stored, and all before it, or why it was not. An output that was built on what is
  /// stored is told, whatever becomes of later changes.
  func pass(_ output: @escaping Output, after change: UInt64) {
    let (isHeld, failure) = state.withLock { state -> (Bool, SessionError?) in
      if change <= state.stored { return (false, nil) }
      if let failure = state.failure { return (false, failure) }
      state.held.append((change, output))
      return (true, nil)
    }
    if !isHeld { output(failure) }
  }
}
