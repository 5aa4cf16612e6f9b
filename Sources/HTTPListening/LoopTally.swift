// SPDX-License-Identifier: MIT
import Synchronization

/// The counters of one loop: written by its thread alone, without a locked instruction, and read by any.
final class LoopTally: Sendable {
  struct Counter {
    fileprivate let index: Int

    static let accepted = Counter(index: 0)
    static let refusedAtLimit = Counter(index: 1)
    static let refusedPerAddress = Counter(index: 2)
    static let requests = Counter(index: 3)
    static let lateHeads = Counter(index: 4)
    static let lateBodies = Counter(index: 5)
    static let lateResponses = Counter(index: 6)
    static let idle = Counter(index: 7)
    static let bytesReceived = Counter(index: 8)
    static let stalledStreams = Counter(index: 9)
    fileprivate static let firstRefusal = 10

    static func refused(_ refusal: HTTPRefusal) -> Counter {
      Counter(index: firstRefusal + refusal.kind.rawValue)
    }
  }

  private static let capacity = Counter.firstRefusal + HTTPRefusal.Kind.allCases.count
  // Each is atomic, and the pointer never changes.
  nonisolated(unsafe) private let counters: UnsafeMutablePointer<Atomic<Int>>

  init() {
    counters = .allocate(capacity: Self.capacity)
    for index in 0..<Self.capacity { (counters + index).initialize(to: Atomic(0)) }
  }

  deinit {
    counters.deinitialize(count: Self.capacity)
    counters.deallocate()
  }

  /// Only on the loop's thread.
  func add(_ count: Int, to counter: Counter) {
    let now = counters[counter.index].load(ordering: .relaxed)
    counters[counter.index].store(now &+ count, ordering: .relaxed)
  }

  func add(to counts: inout HTTPListenerCounts) {
    counts.accepted += value(.accepted)
    counts.refusedAtLimit += value(.refusedAtLimit)
    counts.refusedPerAddress += value(.refusedPerAddress)
    counts.requests += value(.requests)
    counts.lateHeads += value(.lateHeads)
    counts.lateBodies += value(.lateBodies)
    counts.lateResponses += value(.lateResponses)
    counts.idle += value(.idle)
    counts.bytesReceived += value(.bytesReceived)
    counts.stalledStreams += value(.stalledStreams)
    for kind in HTTPRefusal.Kind.allCases {
      counts.refusals[kind.name, default: 0] += value(Counter(index: Counter.firstRefusal + kind.rawValue))
    }
  }

  private func value(_ counter: Counter) -> Int { counters[counter.index].load(ordering: .relaxed) }
}
