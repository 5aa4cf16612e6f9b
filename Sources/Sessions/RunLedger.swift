// SPDX-License-Identifier: MIT
import AtWork
import ObservableCore

/// The runs of commands that are under way in one session. They are known by numbers, in the order of their beginning: a
/// run that is over is let go of, and what it was known by in memory may be that of another.
final class RunLedger: CommandRunWatcher {
  private struct Entry {
    let run: CommandRun
    let number: UInt64
    let deadline: ContinuousClock.Instant
    /// What asked for it.
    let work: Work?
  }

  private var lastNumber: UInt64 = 0
  /// By what their runs are in memory, which are kept alive by them.
  private var entries: [ObjectIdentifier: Entry] = [:]
  // Without the runtime's exclusivity checks: no code of others runs while one of these two is being changed.
  @exclusivity(unchecked) private var numbers: Set<UInt64> = []
  /// What began while somebody wants to know; `nil` if nobody does.
  @exclusivity(unchecked) private var begun: [UInt64]?
  /// Where it is noted what is at work, if a supervisor is to know.
  var workNotes: WorkNotes?
  /// What asked for the run that began last of those under way. Which run a step of a task is of cannot be told, but there is
  /// hardly ever more than one.
  private var work: Work?
  /// Gives the deadline of a run that begins now.
  var didBegin: () -> ContinuousClock.Instant = { .now }
  /// Told of a run's number, when it is over.
  var didEnd: (CommandRun, _ number: UInt64, (any Error)?) -> Void = { _, _, _ in }

  func runDidBegin(_ run: CommandRun) {
    lastNumber += 1
    let number = lastNumber
    numbers.insert(number)
    let work = workNotes?.current
    if let work { self.work = work }
    entries[ObjectIdentifier(run)] = Entry(run: run, number: number, deadline: didBegin(), work: work)
    begun?.append(number)
  }

  func runDidEnd(_ run: CommandRun, _ error: (any Error)?) {
    guard let number = entries.removeValue(forKey: ObjectIdentifier(run))?.number else { return }
    numbers.remove(number)
    if work != nil { work = entries.values.max { $0.number < $1.number }?.work }
    didEnd(run, number, error)
  }

  /// Does a step of a run, with a note of what asked for that.
  func step(_ body: () -> Void) {
    if let workNotes, let work { workNotes.during(work, body) } else { body() }
  }

  /// Runs `body`, and tells which runs began in it, and are not over when it is: in the order of that.
  func begun(during body: () throws -> Void) rethrows -> [UInt64] {
    begun = []
    defer { begun = nil }
    try body()
    guard let begun, !begun.isEmpty else { return [] }
    return begun.filter(isRunning)
  }

  /// How many runs began so far in the body of `begun`, those that are over included.
  var begunCount: Int { begun?.count ?? 0 }

  /// The run that began in the body of `begun` after that many others.
  func begun(after count: Int) -> UInt64? { begun.flatMap { $0.indices.contains(count) ? $0[count] : nil } }

  func isRunning(_ run: UInt64) -> Bool { numbers.contains(run) }

  var running: Set<UInt64> { numbers }

  var nextDeadline: ContinuousClock.Instant? { entries.values.map(\.deadline).min() }

  /// Those whose time is over, the last first: one that waits for another is not to be started when that ends.
  func overdue(_ now: ContinuousClock.Instant) -> [CommandRun] {
    entries.values.filter { $0.deadline <= now }.sorted { $0.number > $1.number }.map(\.run)
  }
}
