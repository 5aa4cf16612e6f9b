// SPDX-License-Identifier: MIT
import Locking

/// One sleep of a task: an actor to which the task goes. Its executor keeps the task until the sleeper is
/// woken.
///
/// A continuation would be resumed later, by a thread that the system chooses. The thread that wakes a sleeper
/// runs the task itself, until the task goes back to its own actor.
actor Sleeper {
  nonisolated let deadline: TestClock.Instant
  private nonisolated let bed = Bed()
  nonisolated var unownedExecutor: UnownedSerialExecutor { bed.asUnownedSerialExecutor() }
  /// It is written so that the task has to come here.
  private(set) var hasSlept = false

  init(until deadline: TestClock.Instant) { self.deadline = deadline }

  /// Returns when the sleeper is woken.
  func sleep() { hasSlept = true }

  /// Lets the task go on, at once or as soon as it comes.
  nonisolated func wake() { bed.wake() }
}

private final class Bed: SerialExecutor {
  private enum State {
    case empty
    case asleep(UnownedJob)
    case awake
  }

  private let state = Locked(State.empty)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isAwake = state.withLock { state in
      if case .awake = state { return true }
      state = .asleep(job)
      return false
    }
    if isAwake { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  func wake() {
    let job = state.withLock { state -> UnownedJob? in
      defer { state = .awake }
      if case .asleep(let job) = state { return job } else { return nil }
    }
    job?.runSynchronously(on: asUnownedSerialExecutor())
  }
}

/// An executor that runs each job at once, on the thread that brings the job.
final class InlineExecutor: SerialExecutor {
  func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedSerialExecutor()) }
}
