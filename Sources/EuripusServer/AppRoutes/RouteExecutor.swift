// SPDX-License-Identifier: MIT
import Sessions

/// The threads of routes' functions. A function that blocks holds up one of these threads, and neither a loop
/// nor a view model.
final class RouteExecutor: TaskExecutor {
  private let pool: WorkerPool
  private let surroundings: AppRoute.Surroundings?

  init() { (pool, surroundings) = (WorkerPool(threads: 64), nil) }

  /// Shares the threads of another executor. Each part of a function runs in these surroundings.
  init(_ other: RouteExecutor, within surroundings: @escaping AppRoute.Surroundings) {
    (pool, self.surroundings) = (other.pool, surroundings)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.run(isSlow: false) {
      guard let surroundings = self.surroundings else {
        return job.runSynchronously(on: self.asUnownedTaskExecutor())
      }
      surroundings { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}
