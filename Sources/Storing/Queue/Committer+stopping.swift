// SPDX-License-Identifier: MIT
import Locking

/// The end of a committer.
extension Committer {
  /// Commits the rest, then closes the store. Changes that cannot be committed within the time are given up,
  /// and their sessions are told.
  package func stop(within patience: Duration, then done: @escaping @Sendable () -> Void) {
    let (isClosed, claims) = state.withLock { state -> (Bool, [ClaimAnswer]) in
      if state.isClosed { return (true, []) }
      state.stopping.append(done)
      return (false, state.queue.drain())
    }
    if isClosed { return done() }
    for answer in claims { answer(.failed(.stopped)) }
    clock.after(patience, thread) { self.giveUp() }
    wake()
  }

  private func giveUp() {
    let (deliveries, stopping) = state.withLock { state -> ([Queue.Delivery], [@Sendable () -> Void]?) in
      let isClosed = state.isClosed
      return (isClosed ? [] : state.queue.giveUp(), Self.end(&state))
    }
    for delivery in deliveries { delivery.ticket(delivery.outcome) }
    close(stopping)
  }

  func close() { close(state.withLock { Self.end(&$0) }) }

  private static func end(_ state: inout State) -> [@Sendable () -> Void]? {
    if state.isClosed { return nil }
    state.isClosed = true
    defer { state.stopping = [] }
    return state.stopping
  }

  private func close(_ stopping: [@Sendable () -> Void]?) {
    guard let stopping else { return }
    store.close()
    for done in stopping { done() }
  }
}
