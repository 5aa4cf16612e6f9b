// SPDX-License-Identifier: MIT
import Locking
import Synchronization

/// The counters of one loop. Only its thread writes them, and any thread reads them.
final class LoopTally: Sendable {
  struct Counter: ~Copyable, Sendable {
    private let value = Atomic(0)

    var count: Int { value.load(ordering: .relaxed) }

    /// Adds to the count without a locked instruction, on the loop's thread only.
    func add(_ count: Int = 1) { value.store(self.count &+ count, ordering: .relaxed) }
  }

  let accepted = Counter()
  let refusedAtLimit = Counter()
  let refusedPerAddress = Counter()
  let refusedHandshakes = Counter()
  let refusedHandshakesPerAddress = Counter()
  let requests = Counter()
  let lateHeads = Counter()
  let lateBodies = Counter()
  let lateResponses = Counter()
  let stalledStreams = Counter()
  let idle = Counter()
  let crowdedOut = Counter()
  let bytesReceived = Counter()
  private let refusals = Locked<[String: Int]>([:])

  func refused(_ refusal: HTTPRefusal) { refusals.withLock { $0[refusal.name, default: 0] += 1 } }

  func add(to counts: inout HTTPListenerCounts) {
    counts.accepted += accepted.count
    counts.refusedAtLimit += refusedAtLimit.count
    counts.refusedPerAddress += refusedPerAddress.count
    counts.refusedHandshakes += refusedHandshakes.count
    counts.refusedHandshakesPerAddress += refusedHandshakesPerAddress.count
    counts.requests += requests.count
    counts.lateHeads += lateHeads.count
    counts.lateBodies += lateBodies.count
    counts.lateResponses += lateResponses.count
    counts.stalledStreams += stalledStreams.count
    counts.idle += idle.count
    counts.crowdedOut += crowdedOut.count
    counts.bytesReceived += bytesReceived.count
    let refusals = refusals.withLock { $0 }
    for refusal in HTTPRefusal.all { counts.refusals[refusal.name, default: 0] += refusals[refusal.name] ?? 0 }
  }
}
