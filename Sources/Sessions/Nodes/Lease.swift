// SPDX-License-Identifier: MIT
import Locking

/// A node's right to answer from its memory: others take its sessions over when it has given no sign for long, and it may not
/// know.
///
/// Each sign that it gives lengthens the lease from the moment before it was given. One that has run out holds again only after a look at
/// the store, by which the node has dropped the sessions that others have taken meanwhile.
final class Lease: Sendable {
  /// The time for which the right lasts after a sign: shorter than ``NodeWatch/patience``, by as much as clocks may
  /// differ in it.
  static let time: Duration = .seconds(2)

  private struct State {
    var until: ContinuousClock.Instant?
    var isOver = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Locked(State())

  func holds(_ now: ContinuousClock.Instant) -> Bool {
    state.withLock { $0.until.map { now < $0 } ?? false }
  }

  func renew(until: ContinuousClock.Instant) {
    let waiting = state.withLock { state -> [@Sendable () -> Void] in
      if state.isOver { return [] }
      state.until = until
      defer { state.waiting = [] }
      return state.waiting
    }
    for done in waiting { done() }
  }

  /// Gives it up, for good. Requests that wait for it are answered by those who let them wait.
  func end() { state.withLock { ($0.until, $0.isOver, $0.waiting) = (nil, true, []) } }

  /// Has something done when the lease holds, which may be here and now.
  func whenHeld(_ now: ContinuousClock.Instant, _ done: @escaping @Sendable () -> Void) {
    let isHeld = state.withLock { state in
      if let until = state.until, now < until { return true }
      if !state.isOver { state.waiting.append(done) }
      return false
    }
    if isHeld { done() }
  }
}
