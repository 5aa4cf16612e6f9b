// SPDX-License-Identifier: MIT

extension Command {
  /// Starts the operation, or does with the input what the command's policy says.
  ///
  /// If the command is disabled, or its graph closed, the input is refused and nothing happens.
  ///
  /// The operation runs in `isolation`: the actor of the caller, or else that of the command's graph. In the
  /// `init` of a hosted view model no actor is known yet. There the input is queued, and begins right after.
  ///
  /// - Precondition: the caller is on that actor. Without an actor the operation could not come back from an
  ///   `await`.
  @discardableResult
  public func execute(_ input: Input, isolation: (any Actor)? = #isolation) -> CommandStart {
    begin(input, on: isolation).start
  }

  /// Starts the operation as `execute` does, and waits for its result. If the waiting task is cancelled, so is
  /// the run.
  ///
  /// - Throws: the error of the operation, `CancellationError` if the run was cancelled, or
  ///   ``ObservableError/refused(_:_:)``.
  public nonisolated(nonsending) func run(_ input: Input, isolation: (any Actor)? = #isolation) async throws -> Content
  {
    let outcome = CommandOutcome<Content>()
    let (start, run) = begin(input, on: isolation) { outcome.arrive($0) }
    if case .refused(let refusal) = start { throw ObservableError.refused(isExecuting.origin.description, refusal) }
    guard let run else { throw CancellationError() }
    let actor = run.isolation
    // The closures are on no actor. Each goes back to the run's.
    let (awaited, cancelled) = (ActorBound(value: outcome), ActorBound(value: run))
    await withTaskCancellationHandler {
      await awaited.value.wait(on: actor)
    } onCancel: {
      Task { await cancelled.value.cancel(on: actor) }
    }
    guard let result = outcome.result else { throw CancellationError() }
    return try result.get()
  }

  /// Cancels the run, and drops the inputs that wait. An idle command does nothing (S1-6).
  ///
  /// The command is idle when this returns: later writes of the operation change nothing. Its task is
  /// cancelled, so that the calls that it awaits can end.
  public func cancel() {
    if isBusy { drop { _ in true } }
  }
}

/// The end of a run, for the task that waits for it.
final class CommandOutcome<Content> {
  private(set) var result: CommandResult<Content>?
  private var hasArrived = false
  private var continuation: CheckedContinuation<Void, Never>?

  /// - Parameter result: `nil` if the run was cancelled.
  func arrive(_ result: CommandResult<Content>?) {
    self.result = result
    hasArrived = true
    continuation?.resume()
    continuation = nil
  }

  func wait(on actor: isolated any Actor) async {
    if hasArrived { return }
    await withCheckedContinuation { continuation = $0 }
  }
}
