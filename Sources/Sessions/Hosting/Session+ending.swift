// SPDX-License-Identifier: MIT
import ObservableCore
import ViewModels

/// How long a session lives, and its end.
extension Session {
  /// The decision about a session that was looked at.
  enum Verdict { case keep(until: ContinuousClock.Instant), end, ignore }

  /// Ends runs that took too long, and says whether the session has been idle for too long; has one that is stored leave
  /// memory then.
  func look(_ now: ContinuousClock.Instant, idleTime: Duration) -> Verdict {
    if isClosed || now < nextCheck { return .ignore }
    model.enter { for run in runs.overdue(now) { run.fail(with: CommandTimedOut(limit: services.commandLimit)) } }
    if waiters.isEmpty, commandWaits.isEmpty, lastUsed <= now - idleTime {
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
    if let ending { throw ending.error }
  }

  /// Closes the session for its client: who waits in it is released, what comes after this in its turn finds it closed.
  ///
  /// - Parameter request: The one that asks for it, if it has a key.
  func close(for request: KeyedRequest?) {
    end(.closed(by: request))
    // Until it is stored that it is closed, only the session knows.
    tell { [self, services] failure in
      if failure == nil { services.didClose(self, request) }
    }
  }

  /// Drops the view model and releases the readers that wait; from here on everything is refused.
  func end(_ ending: Ending) {
    guard self.ending == nil else { return }
    self.ending = ending
    isUnsaved = true
    let (poll, refused): (PollAnswer, SessionError) =
      if case .left(let error?) = ending { (.failed(error), error) } else { (.closed, .closed) }
    let released = waiters
    waiters = []
    for place in released { release(place, poll) }
    for reader in commandWaits.flatMap(\.readers) { tell { reader.answer(.failure($0 ?? refused)) } }
    commandWaits = []
    model.close()
  }
}
