// SPDX-License-Identifier: MIT
package import ViewModels

/// The timers of a session that is in memory (Decisions/0055): each is done in a transaction of its own, which makes a revision and is stored
/// together with its being done.
extension Session {
  /// Has timers that are due done, off the thread that asks for it: nobody knows how long they take.
  package nonisolated func checkTimers() {
    executor.submit(.untried) { self.assumeIsolated { $0.runTimers() } }
  }

  /// Asks for a look at the session when the next timer is due.
  func scheduleTimers() {
    if let instant = nextTimer { look(noLaterThan: instant) }
  }

  /// The time of the first timer, as the wall clock goes now; `nil` for none.
  var nextTimer: ContinuousClock.Instant? {
    guard let next = model.context?.nextTimer else { return nil }
    let now = services.moment()
    return now.instant + (next - WallTime(milliseconds: now.milliseconds))
  }

  /// The time of the first timer; `nil` for none.
  package var nextTimerTime: WallTime? { model.context?.nextTimer }

  /// A timer was set, or is set no more; nothing that is shown need have changed.
  func timersChanged() {
    isUnsaved = true
    scheduleTimers()
  }

  /// The session was loaded for its timers, which is no use of it.
  func cameForTimers(lastUsed: ContinuousClock.Instant) {
    touch(lastUsed)
    (storedUse, useBeforeTimers) = (lastUsed, lastUsed)
  }

  private func runTimers() {
    guard arrive(), !isClosed, let context = model.context else { return }
    let now = WallTime(milliseconds: services.wallClock())
    // One that is set meanwhile for a time that has passed comes with the next look.
    for timer in context.timersDue(at: now) where !isClosed {
      run(timer)
      // An entry `.every` is not what somebody wanted at this time.
      if case .wake = timer { noteWake() }
    }
    scheduleTimers()
    if let use = useBeforeTimers, use == lastUsed { leaveWhenStored() }
  }

  /// Takes note that somebody has wanted the session to act now: it is kept as if it had been used.
  private func noteWake() {
    let isAlone = useBeforeTimers == lastUsed
    touch(services.now())
    if isAlone { useBeforeTimers = lastUsed }
  }

  private func run(_ timer: SessionTimer) {
    limitState()
    let began = services.now()
    isChanging = true
    var failure: (any Error)?
    services.watch.watching("\(timer)", of: modelName, since: began) {
      do { try model.runTimer(timer) } catch { failure = error }
    }
    isChanging = false
    isUnsaved = true
    publish()
    let time = services.now() - began
    if time > Self.longAction { report("\(timer)", time) }
    if let failure {
      let report = SessionReport.timerFailed("\(timer)", model: modelName, reason: "\(failure)")
      executor.afterTurn { [services] in services.report(report) }
    }
  }
}
