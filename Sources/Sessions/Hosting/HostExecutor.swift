// SPDX-License-Identifier: MIT
import Dispatch

/// Where a host's asynchronous work runs: on a thread of its own. So no function of an app that blocks Swift's shared
/// threads holds it up. Only quick work belongs here.
package final class HostExecutor: TaskExecutor {
  private let thread = DispatchQueue(label: "euripus.host")

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    thread.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
