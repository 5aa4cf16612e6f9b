// SPDX-License-Identifier: MIT
import Locking

/// The things that follow from signing in or out, on their way into the store, and the client's new key if it has one by that.
final class Grant: Sendable {
  let newKey: String?

  private enum State {
    /// - Parameter parts: those that are not stored yet.
    case waiting([@Sendable (SessionError?) -> Void], parts: Int)
    case over(SessionError?)
  }

  private let state: Locked<State>

  /// - Parameter parts: how many things have to be stored before it counts.
  init(newKey: String?, parts: Int) {
    self.newKey = newKey
    state = Locked(.waiting([], parts: parts))
  }

  /// Has `body` told when it is stored, or why it is not: then the client keeps its credential from before.
  func whenStored(_ body: @escaping @Sendable (SessionError?) -> Void) {
    let (isOver, failure) = state.withLock { state -> (Bool, SessionError?) in
      switch state {
      case .over(let failure): return (true, failure)
      case .waiting(let others, let parts):
        state = .waiting(others + [body], parts: parts)
        return (false, nil)
      }
    }
    if isOver { body(failure) }
  }

  /// A part is stored, or is not, which ends the wait for the others.
  func finish(_ failure: SessionError?) {
    let ready = state.withLock { state -> [@Sendable (SessionError?) -> Void] in
      guard case .waiting(let waiting, let parts) = state else { return [] }
      if failure == nil, parts > 1 {
        state = .waiting(waiting, parts: parts - 1)
        return []
      }
      state = .over(failure)
      return waiting
    }
    for body in ready { body(failure) }
  }
}
