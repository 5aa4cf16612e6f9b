// SPDX-License-Identifier: MIT
import ObservableCore
import Storing
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
    if life.isClosed || now < life.nextCheck { return .ignore }
    model.enter {
      for run in runs.overdue(now) { run.fail(with: CommandTimedOut(limit: services.configuration.commandLimit)) }
    }
    if isLonely(now, for: idleTime) {
      if keeping == nil { return .end }
      if isIdle { leaveWhenStored() }
    }
    // The store must not forget a session that is in use.
    if keeping != nil, life.lastUsed - custody.storedUse > idleTime || custody.isUntouched && services.isUsed(id) {
      custody.isUnsaved = true
    }
    life.planWhenIdle(now, for: idleTime)
    life.plan(noLaterThan: runs.nextDeadline)
    life.plan(noLaterThan: letFollowedGoOn(now))
    life.plan(noLaterThan: lookForTimers(now, runsTimers))
    return .keep(until: life.nextCheck)
  }

  /// Whether no reader waits in it, and no request has come for that time.
  func isLonely(_ now: ContinuousClock.Instant, for time: Duration) -> Bool {
    life.isUnused(now, for: time) && readers.isEmpty && commandWaits.isEmpty
  }

  /// Runs the timers that are due, if that is wanted.
  ///
  /// - Returns: the instant of the next look for timers; `nil` if none is to come. When the run of a timer is over, it asks
  ///   for one.
  private func lookForTimers(_ now: ContinuousClock.Instant, _ runsTimers: Bool) -> ContinuousClock.Instant? {
    guard let timer = nextTimer else { return nil }
    if timer > now { return timer }
    if !runsTimers { return now + .seconds(1) }
    checkTimers()
    return nil
  }

  /// Asks for a look at that instant, unless one comes earlier.
  func look(noLaterThan instant: ContinuousClock.Instant) {
    if life.plan(noLaterThan: instant) { services.check(self, instant) }
  }

  // MARK: The end

  var isClosed: Bool { life.isClosed }
  var hasLeft: Bool { life.hasLeft }

  /// - Throws: ``SessionError``, if the session has ended.
  func checkLiving() throws {
    if let ending = life.ending { throw ending.error }
  }

  /// Closes the session for good. Readers that wait in it are released, and later requests find it closed.
  func close(_ closing: Closing) {
    end(.closed(closing))
    // Until the store has the closing, only the session knows of it.
    tell { [self, services] failure in
      if failure == nil { services.didClose(self, closing) }
    }
  }

  /// Closes the session if its view model wants that. The answer to the request comes first, and so does the end of the command
  /// that wanted it.
  func endIfWanted() {
    guard let wish = model.context?.endWish, !isClosed else {
      turnWork.mayEnd = false
      return
    }
    if let run = wish.run, runs.isRunning(run) { return }
    turnWork.mayEnd = false
    // The last writes of a command, and the answers that waited for it.
    catchUp()
    close(.byClient(nil))
  }

  /// Drops the view model and releases the readers that wait. From then on every request is refused.
  func end(_ ending: SessionEnding) {
    if life.isClosed { return }
    life.end(ending)
    custody.isUnsaved = true
    let (poll, refused) = ending.answers
    for place in readers.removeAll() { release(place, poll) }
    for reader in commandWaits.removeAll() {
      // The store's failure may be that of a later change.
      tell { reader.answer(.failure(ending.hasLeft && reader.request.isStored ? refused : $0 ?? refused)) }
    }
    model.close()
    if ending.hasLeft { return }
    tell { [spool = services.spool, id] failure in
      if failure == nil { spool.removeAll(ofSession: id) }
    }
  }
}
