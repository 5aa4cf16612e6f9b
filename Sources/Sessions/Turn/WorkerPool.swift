// SPDX-License-Identifier: MIT
import Dispatch
import Locking

/// A bounded number of threads for code of an app that may take long. Such code delays only its own session or
/// route.
///
/// Code that is known to be slow gets at most three quarters of the threads. The others are for code that has
/// not run yet, so one slow view model does not keep another from its first action.
package final class WorkerPool: Sendable {
  package typealias Job = @Sendable () -> Void

  private struct State {
    /// The number of threads that are at work, and the number of those at slow jobs.
    var busy = 0
    var busyWithSlow = 0
    /// Jobs that wait for a thread, with the oldest first.
    var untried: [Job] = []
    var slow: [Job] = []

    /// - Returns: whether there is a thread for the job. The thread is counted as busy then.
    mutating func admit(isSlow: Bool, of threads: Int) -> Bool {
      guard busy < threads, !isSlow || busyWithSlow < max(1, threads * 3 / 4) else { return false }
      busy += 1
      if isSlow { busyWithSlow += 1 }
      return true
    }

    mutating func finish(isSlow: Bool) {
      busy -= 1
      if isSlow { busyWithSlow -= 1 }
    }

    /// The next job that waits. A thread is counted as busy for it.
    mutating func next(of threads: Int) -> (job: Job, isSlow: Bool)? {
      if !untried.isEmpty, admit(isSlow: false, of: threads) { return (untried.removeFirst(), false) }
      if !slow.isEmpty, admit(isSlow: true, of: threads) { return (slow.removeFirst(), true) }
      return nil
    }
  }

  private let threads: Int
  private let state = Locked(State())

  /// - Parameter threads: the most threads that are at work at once.
  package init(threads: Int) { self.threads = threads }

  /// Runs a job on a thread of its own, and returns when it is done.
  func done(_ job: @escaping Job) async {
    await withCheckedContinuation { done in
      run(isSlow: false) {
        job()
        done.resume()
      }
    }
  }

  /// Runs a job on a thread of its own, as soon as there is one.
  package func run(isSlow: Bool, _ job: @escaping Job) {
    let begins = state.withLock { state in
      if state.admit(isSlow: isSlow, of: threads) { return true }
      if isSlow { state.slow.append(job) } else { state.untried.append(job) }
      return false
    }
    // A serial queue gets a thread of its own. A concurrent queue shares the threads of Swift's tasks, which
    // code that blocks would use up.
    if begins { DispatchQueue(label: "euripus.worker").async { self.work(job, isSlow) } }
  }

  private func work(_ job: Job, _ isSlow: Bool) {
    var present = (job: job, isSlow: isSlow)
    while true {
      present.job()
      let next = state.withLock { state in
        state.finish(isSlow: present.isSlow)
        return state.next(of: threads)
      }
      guard let next else { return }
      present = next
    }
  }
}
