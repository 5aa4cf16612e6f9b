// SPDX-License-Identifier: MIT
import Sessions

/// The threads of the functions of routes. One that blocks holds up one of them, and neither a loop nor a view model.
final class RouteExecutor: TaskExecutor {
  private let pool = WorkerPool(threads: 64)

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    pool.run(isSlow: false) { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
