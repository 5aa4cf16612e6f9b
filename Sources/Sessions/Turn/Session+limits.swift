// SPDX-License-Identifier: MIT
import ObservableCore
import ViewModels

/// The limits of a session (PROTOCOL §7).
extension Session {
  /// Counts changes that a request asks for, of which a session may have so many in a time. More of them than the burst
  /// count as the burst: there never is a time when more may come at once.
  ///
  /// - Parameter others: Actions of the client that are at work.
  /// - Throws: ``SessionError/tooManyActions(retryAfter:)`` or ``SessionError/tooMuchTime(retryAfter:)``; none of them is
  ///   counted then.
  func admit(_ changes: [Change?], beside others: Int) throws {
    if services.actionTime != nil {
      if let wait = use.time.wait(lastUsed) { throw SessionError.tooMuchTime(retryAfter: wait) }
      if others >= TimeAllowance.mostBeside, services.pace.lane(of: changes, on: modelName) == .slow {
        throw SessionError.tooMuchTime(retryAfter: .seconds(1))
      }
    }
    guard let rate = services.actionRate else { return }
    // A request has just come in: its time is the time.
    if let wait = allowance.take(min(changes.count, rate.burst), of: rate, now: lastUsed) {
      throw SessionError.tooManyActions(retryAfter: wait)
    }
  }

  /// Differences up to here are not counted, so that most actions count nothing.
  private static let uncounted = 1_024

  /// Counts the memory that the session takes by now.
  ///
  /// - Parameter isForced: Whether it was not counted before.
  func count(isForced: Bool = false) {
    let bytes = model.memoryBytes + keys.bytes
    if !isForced, abs(bytes - countedBytes) < Self.uncounted { return }
    countedBytes = bytes
    services.count(self, bytes)
  }

  /// Sets how long changes may make the state: no longer than it is where memory is scarce.
  func limitState() {
    let (budget, most) = (services.budget, services.maxStateBytes)
    isMemoryScarce = budget.isUsedUp { services.bytesOfNetwork(network) }
    let mayGrow = !isMemoryScarce && !budget.isUsedUp(by: use)
    model.stateLimit = mayGrow ? most : min(most, MemoryBudget.stateLimit(model.stateLength))
  }

  /// Reports a state that a command's writing has made longer than a request could: once, until it is short again.
  func checkStateLength() {
    let isTooLong = model.stateLength > services.maxStateBytes
    defer { hasTooLongState = isTooLong }
    guard isTooLong, !hasTooLongState else { return }
    counts.statesTooLong.increment()
    let report = SessionReport.stateTooLong(
      model: modelName, bytes: model.stateLength, limit: services.maxStateBytes)
    executor.afterTurn { [services] in services.report(report) }
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
