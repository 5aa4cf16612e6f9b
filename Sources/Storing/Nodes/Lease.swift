// SPDX-License-Identifier: MIT
import Locking

/// A node's right to answer from its memory. If a node has given no sign for long, others take over its
/// sessions, and the node may not know it.
///
/// Each sign extends the lease from the moment before the sign was given. A lease that has run out holds again
/// only after a look at the store, by which the node drops the sessions that others have taken meanwhile.
package final class Lease: Sendable {
  /// The time for which the right lasts after a sign. It is shorter than ``NodeWatch/patience`` by as much as
  /// two clocks may differ in that time.
  static let time: Duration = .seconds(2)

  private struct State {
    var until: ContinuousClock.Instant?
    var isOver = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Locked(State())

  package func holds(_ now: ContinuousClock.Instant) -> Bool {
    state.withLock { $0.until.map { now < $0 } ?? false }
  }

  /// - Parameter now: the present instant. A sign may take so long that the lease it gives is over already. Requests
  ///   wait on then.
  func renew(until: ContinuousClock.Instant, at now: ContinuousClock.Instant) {
    let waiting = state.withLock { state -> [@Sendable () -> Void] in
      if state.isOver { return [] }
      state.until = until
      if now >= until { return [] }
      defer { state.waiting = [] }
      return state.waiting
    }
    for done in waiting { done() }
  }

  /// Whether it was given up for good.
  var hasEnded: Bool { state.withLock { $0.isOver } }

  /// Gives up the lease for good. Requests that wait for it are dropped here, and answered by the callers that
  /// let them wait.
  package func end() { state.withLock { ($0.until, $0.isOver, $0.waiting) = (nil, true, []) } }

  /// Calls `done` once the lease holds. It may be called before this returns.
  package func whenHeld(_ now: ContinuousClock.Instant, _ done: @escaping @Sendable () -> Void) {
    let isHeld = state.withLock { state in
      if let until = state.until, now < until { return true }
      if !state.isOver { state.waiting.append(done) }
      return false
    }
    if isHeld { done() }
  }
}
