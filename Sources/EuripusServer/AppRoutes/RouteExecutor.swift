// SPDX-License-Identifier: MIT
import Locking
import Sessions

/// The threads of the app's functions. A function that blocks holds up one of these threads, and neither a loop nor a
/// view model.
final class RouteThreads: Sendable {
  private static let count = 64

  private let pool = WorkerPool(threads: count)
  private let shares = Locked(ThreadShares<WorkerPool.Job>(threads: count))

  /// Runs a job when the caller's share has a thread for it.
  func run(for caller: ThreadCaller, _ job: @escaping WorkerPool.Job) {
    if shares.withLock({ $0.begin(job, for: caller) }) { start(job, for: caller) }
  }

  private func start(_ job: @escaping WorkerPool.Job, for caller: ThreadCaller) {
    pool.run(isSlow: false) {
      job()
      if let next = self.shares.withLock({ $0.end(for: caller) }) { self.start(next.job, for: next.caller) }
    }
  }
}

/// The executor of one run of a function. Each part of it runs in its surroundings.
final class RouteExecutor: TaskExecutor {
  private let threads: RouteThreads
  private let caller: ThreadCaller
  private let surroundings: AppRoute.Surroundings?

  /// - Parameter surroundings: those of each part of the function; `nil` for none.
  init(_ threads: RouteThreads, for caller: ThreadCaller, within surroundings: AppRoute.Surroundings?) {
    (self.threads, self.caller, self.surroundings) = (threads, caller, surroundings)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    threads.run(for: caller) {
      guard let surroundings = self.surroundings else {
        return job.runSynchronously(on: self.asUnownedTaskExecutor())
      }
      surroundings { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}
