// SPDX-License-Identifier: MIT
import ObservableCore
import ViewModels

/// The life of a session, and its end.
extension Session {
  /// The decision about a session after a look at it.
  enum Verdict { case keep(until: ContinuousClock.Instant), end, ignore }

  /// Looks at the session: it ends runs that took too long, and says whether the session has been idle for too
  /// long. A stored session that is idle for too long leaves memory.
  ///
  /// - Parameter runsTimers: whether timers that are due are run. They are not where another server may have
  ///   the session by now.
  func look(_ now: ContinuousClock.Instant, idleTime: Duration, runsTimers: Bool) -> Verdict {
    if isClosed || now < nextCheck { return .ignore }
    model.enter { for run in runs.overdue(now) { run.fail(with: CommandTimedOut(limit: services.commandLimit)) } }
    if isLonely(now, for: idleTime) {
      if keeping == nil { return .end }
      if isIdle { leaveWhenStored() }
    }
    // The store must not forget a session that is in use.
    if keeping != nil, lastUsed - storedUse > idleTime || isUntouched && services.isUsed(id) { isUnsaved = true }
    let idle = max(lastUsed, now - idleTime) + idleTime
    nextCheck = min(idle, runs.nextDeadline ?? idle)
    if let instant = letFollowedGoOn(now) { nextCheck = min(nextCheck, instant) }
    if let timer = nextTimer {
      if timer > now {
        nextCheck = min(nextCheck, timer)
      } else if runsTimers {
        // When the timer's run is over, it asks for the next look.
        checkTimers()
      } else {
        nextCheck = min(nextCheck, now + .seconds(1))
      }
    }
    return .keep(until: nextCheck)
  }

  /// Whether no reader waits in it, and no request has come for that time.
  func isLonely(_ now: ContinuousClock.Instant, for time: Duration) -> Bool {
    !isClosed && waiters.isEmpty && commandWaits.isEmpty && lastUsed <= now - time
  }

  /// Asks for a look at that instant, unless one comes earlier.
  func look(noLaterThan instant: ContinuousClock.Instant) {
    guard instant < nextCheck else { return }
    nextCheck = instant
    services.check(self, instant)
  }

  // MARK: The end

  enum Ending {
    /// The session ended for good, and its owner is told so.
    case closed(Closing)
    /// The session ended by itself, idle for too long: it is as if it had never been.
    case expired
    /// The session ended with the credential of its client: it is as if it had never been.
    case signedOut
    /// It lives on in the store alone.
    case left(SessionError?)

    var error: SessionError {
      switch self {
      case .closed(let closing): closing.error
      case .expired: .expired
      case .signedOut: .signedOut
      case .left(let error): error ?? .left
      }
    }
  }

  var hasLeft: Bool { if isClosed, case .left? = ending { true } else { false } }

  /// - Throws: ``SessionError``, if the session has ended.
  func checkLiving() throws {
    if let ending { throw ending.error }
  }

  /// Closes the session for good. Readers that wait in it are released, and later requests find it closed.
  func close(_ closing: Closing) {
    end(.closed(closing))
    // Until the store has the closing, only the session knows of it.
    tell { [self, services] failure in
      if failure == nil { services.didClose(self, closing) }
    }
  }

  /// Drops the view model and releases the readers that wait. From then on every request is refused.
  func end(_ ending: Ending) {
    guard self.ending == nil else { return }
    self.ending = ending
    isUnsaved = true
    let (poll, refused): (PollAnswer, SessionError) =
      switch ending {
      case .left(let error?): (.failed(error), error)
      case .signedOut: (.failed(.signedOut), .signedOut)
      case .closed(.superseded): (.failed(.superseded), .superseded)
      case .closed(.ended): (.failed(.ended), .ended)
      case .closed(.byClient), .expired, .left(nil): (.closed, .closed)
      }
    let released = waiters
    waiters = []
    for place in released { release(place, poll) }
    for reader in commandWaits.flatMap(\.readers) { tell { reader.answer(.failure($0 ?? refused)) } }
    commandWaits = []
    model.close()
  }
}
