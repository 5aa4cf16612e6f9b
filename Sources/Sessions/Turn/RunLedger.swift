// SPDX-License-Identifier: MIT
import ObservableCore
import ViewModels

/// The runs of commands that are under way in one session. They are known by numbers, in the order in which
/// they began: a run that is over is released, and another run may get its place in memory.
final class RunLedger: CommandRunWatcher {
  /// The beginning of a run.
  struct Beginning {
    var deadline: ContinuousClock.Instant = .now
    /// The action that it began in; `nil` for none.
    var action: ActionOrigin?
    /// The cause of its time.
    var cause = TimedWork.Cause.client(nil)
  }

  private struct Running {
    let run: CommandRun
    let number: UInt64
    let beginning: Beginning
  }

  private var lastNumber: UInt64 = 0
  /// The runs under way, by their identities. They are kept alive here.
  private var underWay: [ObjectIdentifier: Running] = [:]
  private var numbers: Set<UInt64> = []
  /// Whether a run may start only when the store has its beginning (PROTOCOL §9).
  var awaitsStore = false
  /// The runs whose beginning the store does not have yet.
  private var unstored: Set<UInt64> = []
  /// The runs that have begun since changes are made, each with the index of its change; `nil` while none are.
  private var begun: [(run: UInt64, change: Int)]?
  /// The faults of the runs that began in these changes and are over.
  private(set) var faults: [CommandFault] = []
  /// The number of these changes that have begun.
  private(set) var changesBegun = 0
  /// Called with a run that begins now.
  var didBegin: (CommandRun, _ number: UInt64) -> Beginning = { _, _ in Beginning() }
  /// Called when a run is over.
  var didEnd: (CommandRun, _ number: UInt64, (any Error)?) -> Void = { _, _, _ in }

  func runDidBegin(_ run: CommandRun) {
    let change = changeAtWork
    lastNumber += 1
    let number = lastNumber
    numbers.insert(number)
    if awaitsStore, !run.isRepeatable { unstored.insert(number) }
    underWay[ObjectIdentifier(run)] = Running(run: run, number: number, beginning: didBegin(run, number))
    if let change { begun?.append((number, change)) }
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
    if begun?.contains(where: { $0.run == number }) == true, let fault = CommandFault(of: run, error) {
      faults.append(fault)
    }
    didEnd(run, number, error)
  }

  /// Notes that changes are made from now on, until ``endChanges()``.
  func beginChanges() { (begun, changesBegun, faults) = ([], 0, []) }

  func endChanges() { begun = nil }

  /// The runs that began in the changes that are being made and are still under way, in the order in which they began.
  var begunAndRunning: [UInt64] {
    guard let begun, !begun.isEmpty else { return [] }
    return begun.map(\.run).filter(isRunning)
  }

  /// Notes that the next change begins.
  func changeBegins() { changesBegun += 1 }

  /// The index of the change at work; `nil` if none is. A run whose first step is at work belongs to the change that it
  /// began in: in a batch it starts when all changes have been made.
  var changeAtWork: Int? {
    guard let begun else { return nil }
    let run = begun.isEmpty ? nil : atStep
    return begun.first { $0.run == run }?.change ?? max(0, changesBegun - 1)
  }

  /// The first run that began in one of the changes that are being made, even if it is over.
  func firstRun(ofChange index: Int) -> UInt64? { begun?.first { $0.change == index }?.run }

  func isRunning(_ run: UInt64) -> Bool { numbers.contains(run) }

  var running: Set<UInt64> { numbers }

  /// The runs under way, the last one first. So a run that waits for another one is not started when that ends.
  var latestFirst: [CommandRun] { underWay.values.sorted { $0.number > $1.number }.map(\.run) }

  /// The run whose step is at work.
  var atStep: UInt64? { newestAtStep?.number }

  /// The action that the run whose step is at work began in.
  var actionAtStep: ActionOrigin? { newestAtStep?.beginning.action }

  /// A run may start another one within its step.
  private var newestAtStep: Running? { underWay.values.filter { $0.run.isInStep }.max { $0.number < $1.number } }

  /// A step of a run, which may be over.
  func work(of run: ObjectIdentifier) -> TimedWork {
    guard let running = underWay[run] else { return TimedWork("a step of a command that is over", by: .client(nil)) }
    return TimedWork("a step of \(running.run.origin)", by: running.beginning.cause)
  }

  var nextDeadline: ContinuousClock.Instant? { underWay.values.map(\.beginning.deadline).min() }

  /// The runs whose time is over, the last one first.
  func overdue(_ now: ContinuousClock.Instant) -> [CommandRun] {
    latestFirst.filter { underWay[ObjectIdentifier($0)].map { $0.beginning.deadline <= now } ?? false }
  }
}
