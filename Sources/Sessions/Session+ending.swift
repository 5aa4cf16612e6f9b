// SPDX-License-Identifier: MIT
import ObservableCore
import ViewModels

/// How long a session lives, and its end.
extension Session {
  /// What is to be done with a session that was looked at.
  enum Verdict { case keep(until: ContinuousClock.Instant), end, ignore }

  /// Ends runs that took too long, and says whether the session has been idle for too long; has one that is stored leave
  /// memory then.
  func look(_ now: ContinuousClock.Instant, idleTime: Duration) -> Verdict {
    if isClosed || now < nextCheck { return .ignore }
    model.enter { for run in runs.overdue(now) { run.fail(with: CommandTimedOut(limit: services.commandLimit)) } }
    if waiters.isEmpty, actionWaits.isEmpty, lastUsed <= now - idleTime {
      if keeping == nil { return .end }
      if isIdle { leaveWhenStored() }
    }
    // The store must not forget a session that is in use.
    if keeping != nil, lastUsed - storedUse > idleTime { isUnsaved = true }
    let idle = max(lastUsed, now - idleTime) + idleTime
    nextCheck = min(idle, runs.nextDeadline ?? idle)
    return .keep(until: nextCheck)
  }

  /// Asks for a look at that instant, if there is none before.
  func look(noLaterThan instant: ContinuousClock.Instant) {
    guard instant < nextCheck else { return }
    nextCheck = instant
    services.check(self, instant)
  }

  // MARK: The end

  enum Ending {
    /// By its client, by a request with this key if it had one.
    case closed(by: KeyedRequest?)
    /// By itself, idle for too long: it is as if it had never been.
    case expired
    /// It lives on in the store alone.
    case left(SessionError?)

    var error: SessionError {
      switch self {
      case .closed: .closed
      case .expired: .expired
      case .left(let error): error ?? .left
      }
    }
  }

  var hasLeft: Bool { if isClosed, case .left? = ending { true } else { false } }

  /// - Throws: ``SessionError``, if the session has ended.
  func checkLiving() throws {
    // What is asked first lies with what each action reaches.
    if isClosed, let ending { throw ending.error }
  }

  /// Drops the view model and releases who waits; from here on everything is refused.
  func end(_ ending: Ending) {
    guard self.ending == nil else { return }
    self.ending = ending
    isUnsaved = true
    let (poll, action): (PollAnswer, ActionAnswer) =
      if case .left(let error?) = ending { (.failed(error), .failed(error)) } else { (.closed, .closed) }
    let released = waiters
    waiters = []
    for waiter in released { release(waiter, poll) }
    for reader in actionWaits.flatMap(\.readers) { tell { reader.answer($0.map { .failed($0) } ?? action) } }
    actionWaits = []
    model.close()
  }
}
