// SPDX-License-Identifier: MIT

/// One run of a command, as its operation sees it.
///
/// Runs are numbered, and a command accepts only the run with the number that it expects. A cancelled run
/// changes nothing any more, however late it ends (S1-6).
public final class CommandRun {
  let number: UInt64
  /// The command of the run: its name, and the place where it was made.
  public let origin: Origin
  /// The actor that uses the command.
  let isolation: any Actor
  /// The run's own actor, which works in the turns of the other; `nil` if that has no turns.
  private(set) var steps: RunActor?
  /// The actor where the operation runs, before and after each `await`.
  var place: any Actor { steps ?? isolation }
  private weak var command: (any CommandRunning)?
  /// Whether it was cancelled, or made to fail, before its operation was over.
  // The task may not be known at that time: an operation can cancel its command before it suspends.
  public private(set) var isStopped = false
  /// Whether it may be done once more after the server has died.
  package internal(set) var isRepeatable = false
  /// Whether its operation has started.
  var hasBegun = false
  var task: Task<Void, Never>? {
    didSet { if isStopped { task?.cancel() } }
  }

  init(_ number: UInt64, of command: any CommandRunning, _ origin: Origin, on isolation: any Actor) {
    self.number = number
    self.origin = origin
    self.command = command
    self.isolation = isolation
    steps = (isolation as? any TurnActor).map { RunActor(of: ObjectIdentifier(self), in: $0) }
  }

  /// Whether the run does not count now. It is `true` before its turn in a queue, and after its end.
  ///
  /// Within its own operation it is `true` only if the run was cancelled, was made to fail (``fail(with:)``), or has
  /// lost its command.
  public var isCancelled: Bool { command?.isRunning(self) != true }

  /// Whether a step of its operation is running, in an actor that has turns.
  package var isInStep: Bool { steps?.executor.isInStep ?? false }

  /// Reports how far the operation is, from 0 to 1. A number beyond counts as 0 or 1. `nil`, and not a number,
  /// mean that the operation cannot tell.
  public func report(_ progress: Double?) {
    isolation.preconditionIsolated()
    let progress = progress.flatMap { $0.isNaN ? nil : min(max($0, 0), 1) }
    command?.report(progress, from: self)
  }

  /// Ends the run, if it still counts, as if the operation had thrown `error`: for an owner that limits its
  /// time. Its task is cancelled, and the command's `onCancel` is called. A run that waits for its turn is
  /// cancelled.
  public func fail(with error: any Error) { command?.fail(self, error) }

  /// Starts the operation of a run that its watcher has held back (``CommandRunWatcher/mayStart(_:)``). Nothing
  /// happens if it has started, waits for other runs of its command, or no longer counts.
  public func start() { command?.start(self) }

  /// Ends the run, if it still counts, as `Command.cancel()` does.
  func cancel() { command?.cancel(self) }

  func cancel(on actor: isolated any Actor) { cancel() }

  func stop() {
    isStopped = true
    steps?.executor.isStopped = true
    task?.cancel()
  }
}

/// A command of any types, for its runs.
protocol CommandRunning: AnyObject {
  func isRunning(_ run: CommandRun) -> Bool
  func start(_ run: CommandRun)
  func report(_ progress: Double?, from run: CommandRun)
  func cancel(_ run: CommandRun)
  func fail(_ run: CommandRun, _ error: any Error)
}
