// SPDX-License-Identifier: MIT
import Locking

/// A new key for a client that has signed in, or out, on its way into the store.
final class Grant: Sendable {
  let newKey: String

  private enum State {
    case waiting([@Sendable (SessionError?) -> Void])
    case over(SessionError?)
  }

  private let state = Locked(State.waiting([]))

  init(newKey: String) { self.newKey = newKey }

  /// Has `body` told when it is stored, or why it is not: then the client keeps what it had.
  func whenStored(_ body: @escaping @Sendable (SessionError?) -> Void) {
    let (isOver, failure) = state.withLock { state -> (Bool, SessionError?) in
      switch state {
      case .over(let failure): return (true, failure)
      case .waiting(let others):
        state = .waiting(others + [body])
        return (false, nil)
      }
    }
    if isOver { body(failure) }
  }

  func finish(_ failure: SessionError?) {
    let waiting = state.withLock { state in
      defer { state = .over(failure) }
      if case .waiting(let waiting) = state { return waiting } else { return [] }
    }
    for body in waiting { body(failure) }
  }
}
