// SPDX-License-Identifier: MIT
import ViewModels

/// The timers of a session in memory. Each runs in a transaction of its own, which makes a revision. The
/// revision is stored together with the fact that the timer has run (Decisions/0055).
extension Session {
  /// Runs the timers that are due, in the pool and not on the calling thread, as they may take long.
  package nonisolated func checkTimers() {
    executor.submit(.untried) { self.assumeIsolated { $0.runTimers() } }
  }

  /// Asks for a look at the session at the time of the next timer.
  func scheduleTimers() {
    if let instant = nextTimer { look(noLaterThan: instant) }
  }

  /// The time of the first timer, as the wall clock is set now; `nil` if there is none.
  package var nextTimer: ContinuousClock.Instant? {
    model.context?.nextTimer(at: services.moment())
  }

  /// Takes note that the wall clock was set, in the pool as well. Timers at times of the calendar come sooner or
  /// later now, and the times in the store are told by the clock as it was.
  nonisolated func renewTimers() {
    executor.submit(.untried) {
      self.assumeIsolated { session in
        if session.arrive(), !session.isClosed, session.nextTimer != nil { session.timersChanged() }
      }
    }
  }

  /// Notes that a timer was set or unset. The shown state need not have changed.
  func timersChanged() {
    custody.isUnsaved = true
    scheduleTimers()
  }

  /// Notes that the session was loaded for its timers, which does not count as a use.
  func cameForTimers(lastUsed: ContinuousClock.Instant) {
    life.cameForTimers(lastUsed: lastUsed)
    custody.storedUse = lastUsed
  }

  private func runTimers() {
    guard arrive(), !isClosed, let context = model.context else { return }
    let due = context.timersDue(at: services.moment())
    // The store has told the times of an unused session by the wall clock as it was before it was set.
    if due.isEmpty, life.isAwakeForTimers { custody.isUnsaved = true }
    var areAllDone = true
    // A timer that is set meanwhile, for a time that has passed, comes with the next look.
    for timer in due where !isClosed {
      if let wait = waitOfOthers {
        areAllDone = false
        look(noLaterThan: services.now() + wait)
        break
      }
      run(timer)
      // Only a wake counts as a use. An entry of `.every` was not asked for at this time.
      if case .wake = timer { life.noteWake(services.now()) }
    }
    guard areAllDone else { return }
    scheduleTimers()
    if life.isAwakeForTimers { leaveWhenStored() }
  }

  private func run(_ timer: SessionTimer) {
    limitState()
    turnWork.isChanging = true
    let outer = beginCode(TimedWork("\(timer)", by: .others), since: services.now())
    var failure: (any Error)?
    do { try model.runTimer(timer) } catch { failure = error }
    turnWork.isChanging = false
    custody.isUnsaved = true
    publish()
    endCode(outer)
    if let failure { report(.timerFailed("\(timer)", model: modelName, reason: "\(failure)")) }
  }
}
