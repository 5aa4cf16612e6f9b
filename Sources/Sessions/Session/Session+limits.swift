// SPDX-License-Identifier: MIT
import Locking
import ObservableCore
import ViewModels

/// The limits of a session (PROTOCOL §7).
extension Session {
  /// Counts the changes of a request against the session's rate. More changes than the burst count as the
  /// burst, since more can never come at once.
  ///
  /// - Parameter others: the number of actions of the client that are at work.
  /// - Throws: ``SessionError/tooManyActions(retryAfter:)`` or ``SessionError/tooMuchTime(retryAfter:)``. No
  ///   change is counted then.
  func admit(_ changes: [Change?], beside others: Int) throws {
    if services.actionTime != nil {
      if let wait = use.time.wait(lastUsed) { throw SessionError.tooMuchTime(retryAfter: wait) }
      if others >= TimeAllowance.mostBeside, services.pace.lane(of: changes, on: modelName) == .slow {
        throw SessionError.tooMuchTime(retryAfter: .seconds(1))
      }
    }
    guard let rate = services.actionRate else { return }
    // The request has just come in, so its time is the present time.
    if let wait = allowance.take(min(changes.count, rate.burst), of: rate, now: lastUsed) {
      throw SessionError.tooManyActions(retryAfter: wait)
    }
  }

  /// Runs code of the view model. The code is watched, its time is drawn from the allowance of its cause, and it is
  /// reported if it took long.
  ///
  /// - Returns: the value of `body`, and the time that it took.
  func timed<Value>(
    _ work: TimedWork, since began: ContinuousClock.Instant, _ body: () -> Value
  ) -> (value: Value, time: Duration) {
    let number = services.watch.begin(work.name, of: modelName, since: began)
    let outer = present
    present = PresentWork(work: work, began: began, number: number)
    let value = body()
    let name = present?.work.name ?? work.name
    present = outer
    services.watch.end(number)
    let time = services.now() - began
    if let share = services.actionTime {
      let allowance = work.cause == .client ? use.time : use.timeOfOthers
      allowance.draw(time, of: share, began: began)
    }
    if time > Self.longAction { report(.slowAction(name, model: modelName, took: time, isOver: true)) }
    return (value, time)
  }

  /// Gives the code that runs a name that tells more.
  func nameWork(_ name: String) {
    guard let number = present?.number else { return }
    present?.work.name = name
    services.watch.rename(number, name)
  }

  /// Reports something when the turn is over.
  func report(_ report: SessionReport) { executor.afterTurn { [services] in services.report(report) } }

  /// The time from which on an action is reported.
  static let longAction: Duration = .milliseconds(100)

  /// The difference in bytes below which nothing is counted, so that most actions count nothing.
  private static let uncounted = 1_024

  /// Counts the memory that the session takes now.
  ///
  /// - Parameter isForced: whether a small difference is counted too.
  func count(isForced: Bool = false) {
    let bytes = model.memoryBytes + keys.bytes
    if !isForced, abs(bytes - countedBytes) < Self.uncounted { return }
    countedBytes = bytes
    services.count(self, bytes)
  }

  /// Sets the longest state that changes may make. Where memory, or room in the store, is scarce, the state may not
  /// grow.
  func limitState() {
    let (budget, most) = (services.budget, services.maxStateBytes)
    if budget.isUsedUp(network: { services.bytesOfNetwork(network) }) {
      shortage = .tooMuchMemory
    } else {
      let isStoreUsedUp = keeping?.keeper.room.withLock { watch in
        watch.room.isUsedUp { watch.room.bytes(of: keeping?.network ?? 0) }
      }
      shortage = isStoreUsedUp == true ? .tooMuchStored : nil
    }
    let mayGrow = shortage == nil && !budget.isUsedUp(by: use)
    model.stateLimit = mayGrow ? most : min(most, MemoryBudget.stateLimit(model.stateLength))
  }

  /// Reports a state that commands have made longer than a request could. It is reported once, until the state
  /// is short again.
  func checkStateLength() {
    let isTooLong = model.stateLength > services.maxStateBytes
    defer { hasTooLongState = isTooLong }
    guard isTooLong, !hasTooLongState else { return }
    counts.statesTooLong.increment()
    report(.stateTooLong(model: modelName, bytes: model.stateLength, limit: services.maxStateBytes))
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
