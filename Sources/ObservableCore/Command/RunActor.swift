// SPDX-License-Identifier: MIT

/// An actor that says for a step of a task when its turn has come: a session. The runs of its commands then know their own
/// steps, so that what a cancelled one still writes is undone.
public protocol TurnActor: Actor {
  /// Has a step of a task done in the actor's turn, as its executor does with a job.
  nonisolated func enqueue(step: @escaping @Sendable () -> Void)
}

/// The actor of one run of a command: its steps are done in the turn of another actor, on which it counts as being.
actor RunActor {
  nonisolated let executor: RunExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The other actor.
  nonisolated let base: any TurnActor

  init(in actor: any TurnActor) {
    base = actor
    executor = RunExecutor(in: actor)
  }
}

// @unchecked Sendable: `isStopped` is used in the actor's turn alone.
final class RunExecutor: SerialExecutor, @unchecked Sendable {
  private let actor: any TurnActor
  /// Whether the run was cancelled, so that what it still writes is undone.
  var isStopped = false

  init(in actor: any TurnActor) { self.actor = actor }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    actor.enqueue {
      guard self.isStopped else { return job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      // The only error is the one that has it undone.
      try? transaction(.undo) {
        job.runSynchronously(on: self.asUnownedSerialExecutor())
        throw CancellationError()
      }
    }
  }

  func isIsolatingCurrentContext() -> Bool? {
    actor.unownedExecutor.asSerialExecutor()?.isIsolatingCurrentContext() ?? nil
  }

  func checkIsolated() { actor.unownedExecutor.asSerialExecutor()?.checkIsolated() }
}
