// SPDX-License-Identifier: MIT
import Storing

/// The client for which a function of the app runs.
struct ThreadCaller: Hashable, Sendable {
  let network: ClientNetwork
  /// The client with its key, or the user; `nil` for strangers, who count as one client in their network.
  let client: Credential?
}

/// The division of threads among the clients for which functions of the app run: one network has half of the threads
/// at most, and one client of it a quarter. A job beyond that waits for the others of its network, and for nobody else.
struct ThreadShares<Job> {
  private let threads: Int
  private var busy: [ThreadCaller: Int] = [:]
  private var busyInNetwork: [ClientNetwork: Int] = [:]
  /// The jobs that wait, with the oldest first.
  private var waiting: [ClientNetwork: [(caller: ThreadCaller, job: Job)]] = [:]

  init(threads: Int) { self.threads = threads }

  /// - Returns: whether the job may run. It waits otherwise.
  mutating func begin(_ job: Job, for caller: ThreadCaller) -> Bool {
    guard admits(caller) else {
      waiting[caller.network, default: []].append((caller, job))
      return false
    }
    add(1, to: caller)
    return true
  }

  /// Notes that a job is done.
  ///
  /// - Returns: the job that may run in its place. O(jobs that wait in the network), none of which is copied.
  mutating func end(for caller: ThreadCaller) -> (caller: ThreadCaller, job: Job)? {
    add(-1, to: caller)
    let network = caller.network
    guard let index = waiting[network]?.firstIndex(where: { admits($0.caller) }),
      let next = waiting[network]?.remove(at: index)
    else { return nil }
    if waiting[network]?.isEmpty == true { waiting[network] = nil }
    add(1, to: next.caller)
    return next
  }

  private func admits(_ caller: ThreadCaller) -> Bool {
    busy[caller] ?? 0 < threads / 4 && busyInNetwork[caller.network] ?? 0 < threads / 2
  }

  private mutating func add(_ count: Int, to caller: ThreadCaller) {
    let (own, all) = ((busy[caller] ?? 0) + count, (busyInNetwork[caller.network] ?? 0) + count)
    busy[caller] = own == 0 ? nil : own
    busyInNetwork[caller.network] = all == 0 ? nil : all
  }
}
