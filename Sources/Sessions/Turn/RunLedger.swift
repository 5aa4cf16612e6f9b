// SPDX-License-Identifier: MIT
import ObservableCore

/// The runs of commands that are under way in one session. They are known by numbers, in the order in which
/// they began: a run that is over is released, and another run may get its place in memory.
final class RunLedger: CommandRunWatcher {
  private struct Running {
    let run: CommandRun
    let number: UInt64
    let deadline: ContinuousClock.Instant
  }

  private var lastNumber: UInt64 = 0
  /// The runs under way, by their identities. They are kept alive here.
  private var underWay: [ObjectIdentifier: Running] = [:]
  private var numbers: Set<UInt64> = []
  /// Whether a run may start only when the store has its beginning (PROTOCOL §9).
  var awaitsStore = false
  /// The runs whose beginning the store does not have yet.
  private var unstored: Set<UInt64> = []
  /// The runs that have begun in the body of `begun(during:)`; `nil` outside it.
  private var begun: [UInt64]?
  /// Gives the deadline of a run that begins now.
  var didBegin: (_ number: UInt64) -> ContinuousClock.Instant = { _ in .now }
  /// Called when a run is over.
  var didEnd: (CommandRun, _ number: UInt64, (any Error)?) -> Void = { _, _, _ in }

  func runDidBegin(_ run: CommandRun) {
    lastNumber += 1
    let number = lastNumber
    numbers.insert(number)
    if awaitsStore { unstored.insert(number) }
    underWay[ObjectIdentifier(run)] = Running(run: run, number: number, deadline: didBegin(number))
    begun?.append(number)
  }

  func mayStart(_ run: CommandRun) -> Bool {
    underWay[ObjectIdentifier(run)].map { !unstored.contains($0.number) } ?? true
  }

  /// Notes that the store has the beginning of a run, which may start from now on.
  func noteStored(_ number: UInt64) {
    guard unstored.remove(number) != nil else { return }
    underWay.values.first { $0.number == number }?.run.start()
  }

  func runDidEnd(_ run: CommandRun, _ error: (any Error)?) {
    guard let number = underWay.removeValue(forKey: ObjectIdentifier(run))?.number else { return }
    numbers.remove(number)
    unstored.remove(number)
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

  /// The runs under way, the last one first. So a run that waits for another one is not started when that ends.
  var latestFirst: [CommandRun] { underWay.values.sorted { $0.number > $1.number }.map(\.run) }

  /// The run whose step is at work.
  var atStep: UInt64? { underWay.values.first { $0.run.isInStep }?.number }

  var nextDeadline: ContinuousClock.Instant? { underWay.values.map(\.deadline).min() }

  /// The runs whose time is over, the last one first.
  func overdue(_ now: ContinuousClock.Instant) -> [CommandRun] {
    latestFirst.filter { underWay[ObjectIdentifier($0)].map { $0.deadline <= now } ?? false }
  }
}
