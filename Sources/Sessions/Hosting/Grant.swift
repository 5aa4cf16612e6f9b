// SPDX-License-Identifier: MIT
import Locking

/// The client's new key, if signing in or out gives it one, and the wait until all that follows from it is
/// stored.
final class Grant: Sendable {
  let newKey: String?

  private enum State {
    /// - Parameter parts: the number of parts that are not stored yet.
    case waiting([@Sendable (SessionError?) -> Void], parts: Int)
    case over(SessionError?)
  }

  private let state: Locked<State>

  /// - Parameter parts: the number of parts that have to be stored before the grant counts.
  init(newKey: String?, parts: Int) {
    self.newKey = newKey
    state = Locked(.waiting([], parts: parts))
  }

  /// Calls `body` when everything is stored, or with the reason why something is not. In that case the client
  /// keeps its credential from before.
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

  /// Notes that a part is stored. A failure to store one ends the wait for the others.
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
