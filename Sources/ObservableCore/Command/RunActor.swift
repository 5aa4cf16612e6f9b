// SPDX-License-Identifier: MIT

/// An actor that says for a step of a task when its turn has come: a session. The runs of its commands then know their own
/// steps, so that the later writes of a cancelled one are undone.
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

/// The executor of one run. Each step of it is one transaction: a step that fails, as one of the observers throws that it
/// reaches, is undone, and so is each later step of a run that was stopped. An error of the operation undoes nothing, so
/// that values that it writes in a `defer` stay.
// @unchecked Sendable: all is used in the actor's turn alone.
final class RunExecutor: SerialExecutor, @unchecked Sendable {
  private let actor: any TurnActor
  /// Whether the run was cancelled, so that its later writes are undone. Kept here, as a task that the operation began
  /// may outlive the run.
  var isStopped = false
  /// Set while a step of the run is done.
  private(set) var isInStep = false
  /// A closure that is told of the error of a step that was undone.
  var didFail: ((any Error) -> Void)?
  /// Work for the end of the step in which the operation ended, with the error of that step.
  var conclusion: (((any Error)?) -> Void)?

  init(in actor: any TurnActor) { self.actor = actor }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    actor.enqueue { self.step { job.runSynchronously(on: self.asUnownedSerialExecutor()) } }
  }

  /// Runs a step of the operation.
  func step(_ body: () -> Void) {
    let wasStopped = isStopped
    isInStep = true
    defer { isInStep = false }
    var failure: (any Error)?
    do {
      try transaction(.undo) {
        body()
        if wasStopped { throw CancellationError() }
      }
    } catch { failure = wasStopped ? nil : error }
    if let conclusion {
      self.conclusion = nil
      conclusion(failure)
    } else if let failure {
      didFail?(failure)
    }
  }

  func isIsolatingCurrentContext() -> Bool? {
    actor.unownedExecutor.asSerialExecutor()?.isIsolatingCurrentContext() ?? nil
  }

  func checkIsolated() { actor.unownedExecutor.asSerialExecutor()?.checkIsolated() }
}
