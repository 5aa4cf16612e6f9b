// SPDX-License-Identifier: MIT
import ObservableCore

/// The runs of commands that are under way in one session. They are known by numbers, in the order in which
/// they began: a run that is over is released, and another run may get its place in memory.
final class RunLedger: CommandRunWatcher {
  private struct Running {
    let run: CommandRun
    let number: UInt64
    let deadline: ContinuousClock.Instant
    let cause: TimedWork.Cause
  }

  private var lastNumber: UInt64 = 0
  /// The runs under way, by their identities. They are kept alive here.
  private var underWay: [ObjectIdentifier: Running] = [:]
  private var numbers: Set<UInt64> = []
  /// The runs that have begun in the body of `begun(during:)`; `nil` outside it.
  private var begun: [UInt64]?
  /// Gives the deadline of a run that begins now, and the cause of its time.
  var didBegin: () -> (deadline: ContinuousClock.Instant, cause: TimedWork.Cause) = { (.now, .client) }
  /// Called when a run is over.
  var didEnd: (CommandRun, _ number: UInt64, (any Error)?) -> Void = { _, _, _ in }

  func runDidBegin(_ run: CommandRun) {
    lastNumber += 1
    let number = lastNumber
    numbers.insert(number)
    let (deadline, cause) = didBegin()
    underWay[ObjectIdentifier(run)] = Running(run: run, number: number, deadline: deadline, cause: cause)
    begun?.append(number)
  }

  func runDidEnd(_ run: CommandRun, _ error: (any Error)?) {
    guard let number = underWay.removeValue(forKey: ObjectIdentifier(run))?.number else { return }
    numbers.remove(number)
    didEnd(run, number, error)
  }

  /// Runs `body`. Returns the runs that began in it and are still under way, in the order in which they began.
  func begun(during body: () throws -> Void) rethrows -> [UInt64] {
    begun = []
    defer { begun = nil }
    try body()
    return begun?.filter(isRunning) ?? []
  }

  /// The number of runs that have begun so far in the body of `begun(during:)`, including those that are over.
  var begunCount: Int { begun?.count ?? 0 }

  /// The run that began in the body of `begun(during:)` after `count` others.
  func begun(after count: Int) -> UInt64? { begun.flatMap { $0.indices.contains(count) ? $0[count] : nil } }

  func isRunning(_ run: UInt64) -> Bool { numbers.contains(run) }

  var running: Set<UInt64> { numbers }

  /// The run whose step is at work.
  var atStep: UInt64? { underWay.values.first { $0.run.isInStep }?.number }

  /// A step of a run, which may be over.
  func work(of run: ObjectIdentifier) -> TimedWork {
    guard let running = underWay[run] else { return TimedWork("a step of a command that is over", by: .client) }
    return TimedWork("a step of \(running.run.origin)", by: running.cause)
  }

  var nextDeadline: ContinuousClock.Instant? { underWay.values.map(\.deadline).min() }

  /// The runs whose time is over, with the last one first. So a run that waits for another one is not started
  /// when that ends.
  func overdue(_ now: ContinuousClock.Instant) -> [CommandRun] {
    underWay.values.filter { $0.deadline <= now }.sorted { $0.number > $1.number }.map(\.run)
  }
}
