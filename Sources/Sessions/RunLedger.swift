// SPDX-License-Identifier: MIT
import ObservableCore

/// The runs of commands that are under way in one session.
final class RunLedger: CommandRunWatcher {
  private struct Entry {
    let run: CommandRun
    /// In the order of their beginning.
    let number: UInt64
    let deadline: ContinuousClock.Instant
  }

  private var lastNumber: UInt64 = 0
  private var entries: [ObjectIdentifier: Entry] = [:]
  /// What began while somebody wants to know; `nil` if nobody does.
  private var begun: [ObjectIdentifier]?
  /// Gives the deadline of a run that begins now.
  var didBegin: () -> ContinuousClock.Instant = { .now }
  var didEnd: (CommandRun, (any Error)?) -> Void = { _, _ in }

  func runDidBegin(_ run: CommandRun) {
    let id = ObjectIdentifier(run)
    lastNumber += 1
    entries[id] = Entry(run: run, number: lastNumber, deadline: didBegin())
    begun?.append(id)
  }

  func runDidEnd(_ run: CommandRun, _ error: (any Error)?) {
    entries[ObjectIdentifier(run)] = nil
    didEnd(run, error)
  }

  /// Runs `body`, and tells which runs began in it, and are not over when it is: in the order of that.
  func begun(during body: () throws -> Void) rethrows -> [ObjectIdentifier] {
    begun = []
    defer { begun = nil }
    try body()
    return begun?.filter(isRunning) ?? []
  }

  /// How many runs began so far in the body of `begun`, those that are over included.
  var begunCount: Int { begun?.count ?? 0 }

  /// The run that began in the body of `begun` after that many others.
  func begun(after count: Int) -> ObjectIdentifier? { begun.flatMap { $0.indices.contains(count) ? $0[count] : nil } }

  func isRunning(_ run: ObjectIdentifier) -> Bool { entries[run] != nil }

  var running: Set<ObjectIdentifier> { Set(entries.keys) }

  var nextDeadline: ContinuousClock.Instant? { entries.values.map(\.deadline).min() }

  /// Those whose time is over, the last first: one that waits for another is not to be started when that ends.
  func overdue(_ now: ContinuousClock.Instant) -> [CommandRun] {
    entries.values.filter { $0.deadline <= now }.sorted { $0.number > $1.number }.map(\.run)
  }
}
