// SPDX-License-Identifier: MIT

/// An actor that does its jobs in turns, one at a time, as a session of a hosted view model does. An app needs none
/// of its own.
///
/// A ``Command`` that is executed on such an actor runs each step of its operation, from one `await` to the next, as
/// one transaction. An error of an observer undoes the step. The steps of a run that was cancelled are undone too. On
/// any other actor a step is no transaction.
public protocol TurnActor: Actor {
  /// Runs a step of a command's run in the actor's turn, as its executor runs a job.
  ///
  /// - Parameter run: the identity of the ``CommandRun``.
  nonisolated func enqueue(step: @escaping @Sendable () -> Void, of run: ObjectIdentifier)
}

/// The actor of one run of a command. Its steps run in the turns of another actor, and count as isolated to
/// that actor.
actor RunActor {
  nonisolated let executor: RunExecutor
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The other actor.
  nonisolated let base: any TurnActor

  init(of run: ObjectIdentifier, in actor: any TurnActor) {
    base = actor
    executor = RunExecutor(of: run, in: actor)
  }
}

/// The executor of one run. Each step of the run is one transaction. A step that fails, because an observer that
/// it reaches throws, is undone. So is each later step of a run that was stopped. An error of the operation
/// undoes nothing, so that values that it writes in a `defer` stay.
// @unchecked Sendable: all is used in the actor's turn alone.
final class RunExecutor: SerialExecutor, @unchecked Sendable {
  private let run: ObjectIdentifier
  private let actor: any TurnActor
  /// Whether the run was cancelled, so that its later writes are undone. It is kept here, as a task that the
  /// operation began may outlive the run.
  var isStopped = false
  /// Set while a step of the run is running.
  private(set) var isInStep = false
  /// Called with the error of a step that was undone.
  var didFail: ((any Error) -> Void)?
  /// Called at the end of the step in which the operation ended, with the error of that step.
  var conclusion: (((any Error)?) -> Void)?

  init(of run: ObjectIdentifier, in actor: any TurnActor) { (self.run, self.actor) = (run, actor) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    actor.enqueue(step: { self.step { job.runSynchronously(on: self.asUnownedSerialExecutor()) } }, of: run)
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
