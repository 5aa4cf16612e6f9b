// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
import Storing
import ViewModels

/// The limits of a session (PROTOCOL §7).
extension Session {
  /// The use that counts for a request: its client's in a room, and the owner's in any other session.
  func use(of request: ChangeRequest?) -> ClientUse { isRoom ? request?.requester?.found?.use ?? use : use }

  /// Counts the changes of a request against its client's limits.
  ///
  /// - Parameters:
  ///   - use: the use that counts for it.
  ///   - others: the number of actions of the client that are at work.
  /// - Throws: ``SessionError/tooManyActions(retryAfter:)``, in a room ``SessionError/tooManyActionsInRooms(retryAfter:)``,
  ///   or ``SessionError/tooMuchTime(retryAfter:)``. No change is counted then.
  func admit(_ changes: [Change?], by use: ClientUse, beside others: Int) throws {
    if services.configuration.actionTime != nil {
      if let wait = use.time.wait(life.lastUsed) { throw SessionError.tooMuchTime(retryAfter: wait) }
      if others >= TimeAllowance.mostBeside, services.pace.lane(of: changes, on: modelName) == .slow {
        throw SessionError.tooMuchTime(retryAfter: .seconds(1))
      }
    }
    guard let rate = services.configuration.actionRate else { return }
    // The request has just come in, so its time is the present time.
    if isRoom {
      if let wait = use.takeInRooms(changes.count, of: rate, now: life.lastUsed) {
        throw SessionError.tooManyActionsInRooms(retryAfter: wait)
      }
    } else if let wait = account.take(changes.count, of: rate, now: life.lastUsed) {
      throw SessionError.tooManyActions(retryAfter: wait)
    }
  }

  /// Begins code of the view model, which is watched until ``endCode(_:)`` ends it.
  ///
  /// - Returns: the code that it interrupts, for ``endCode(_:)``; `nil` for none.
  func beginCode(_ code: TimedWork, since began: ContinuousClock.Instant) -> PresentWork? {
    let number = services.watch.begin(code.name, of: modelName, since: began)
    defer { turnWork.present = PresentWork(work: code, began: began, number: number) }
    return turnWork.present
  }

  /// Ends the code that began last. Its time is drawn from the allowance of its cause, and it is reported if it took long.
  ///
  /// - Parameter outer: the code that goes on now.
  /// - Returns: the time that the code took.
  @discardableResult
  func endCode(_ outer: PresentWork?) -> Duration {
    guard let present = turnWork.present else { stopProgram(bug: "code has ended that did not begin") }
    turnWork.present = outer
    services.watch.end(present.number)
    let time = services.now() - present.began
    if let share = services.configuration.actionTime {
      let allowance =
        switch present.work.cause {
        case .client(let client): (client ?? use).time
        case .others: use.timeOfOthers
        }
      allowance.draw(time, of: share, began: present.began)
    }
    if time > Self.longAction { report(.slowAction(present.work.name, model: modelName, took: time, isOver: true)) }
    return time
  }

  /// Gives the code that runs a name that tells more.
  func nameWork(_ name: String) {
    guard let number = turnWork.present?.number else { return }
    turnWork.present?.work.name = name
    services.watch.rename(number, name)
  }

  /// Reports something when the turn is over.
  func report(_ report: SessionReport) { executor.afterTurn { [services] in services.report(report) } }

  /// The time from which on an action is reported.
  static let longAction: Duration = .milliseconds(100)

  /// Counts the memory that the session takes now.
  ///
  /// - Parameter isForced: whether a small difference is counted too.
  func count(isForced: Bool = false) {
    let bytes = model.memoryBytes + keys.bytes
    if account.note(bytes, isForced: isForced) { services.count(self, bytes) }
  }

  /// Sets the longest state that changes may make. Where memory, or room in the store, is scarce, the state may not
  /// grow.
  func limitState() {
    let (budget, most) = (services.budget, services.configuration.maxStateBytes)
    if budget.isUsedUp(network: { services.bytesOfNetwork(facts.network) }) {
      account.shortage = .tooMuchMemory
    } else {
      let isStoreUsedUp = keeping?.keeper.room.withLock { watch in
        watch.room.isUsedUp { watch.room.bytes(of: keeping?.network ?? 0) }
      }
      account.shortage = isStoreUsedUp == true ? .tooMuchStored : nil
    }
    let mayGrow = account.shortage == nil && !budget.isUsedUp(by: use)
    model.stateLimit = mayGrow ? most : min(most, MemoryBudget.stateLimit(model.stateLength))
  }

  /// Reports a state that commands have made longer than a request could. It is reported once, until the state
  /// is short again.
  func checkStateLength() {
    guard account.note(isTooLong: model.stateLength > services.configuration.maxStateBytes) else { return }
    counts.statesTooLong.increment()
    report(.stateTooLong(model: modelName, bytes: model.stateLength, limit: services.configuration.maxStateBytes))
  }

  /// Counts a run of a command that is over.
  static func count(_ run: CommandRun, _ error: (any Error)?, in counts: SessionCounts) {
    switch error {
    case is CommandTimedOut: counts.commandsTimedOut.increment()
    case _ where run.isStopped, is CancellationError: counts.commandsCancelled.increment()
    case nil: counts.commandsDone.increment()
    case _?: counts.commandsFailed.increment()
    }
  }
}
