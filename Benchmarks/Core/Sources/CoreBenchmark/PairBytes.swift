// SPDX-License-Identifier: MIT
import CMallocCounter
import EuripusCases

/// The memory of one observable of `Int` with one observer, counted at the C library's allocator.
struct PairBytes {
  /// The bytes that the pair asked for, with those that it gave back meanwhile.
  let requested: Double
  /// The bytes that the allocator set aside for the pair, without those that it gave back.
  let usable: Double
  let allocations: Double

  static func measure(pairs: Int = 100_000) -> PairBytes {
    var signals: ContiguousArray<EuripusFramework<Int>.Signal> = []
    signals.reserveCapacity(pairs)
    malloc_counting_start()
    for value in 0..<pairs {
      let signal = EuripusFramework.signal(value)
      EuripusFramework.observe(signal) { _ in }
      signals.append(signal)
    }
    let counts = malloc_counting_stop()
    return withExtendedLifetime(signals) {
      PairBytes(
        requested: Double(counts.requested_bytes) / Double(pairs),
        usable: Double(counts.usable_bytes - counts.freed_usable_bytes) / Double(pairs),
        allocations: Double(counts.allocations) / Double(pairs))
    }
  }
}
