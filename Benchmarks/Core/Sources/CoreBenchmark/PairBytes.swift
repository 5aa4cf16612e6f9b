// SPDX-License-Identifier: MIT
import CMallocCounter
import EuripusCases

/// What one observable of `Int` with one observer allocates, counted at the C library's allocator.
struct PairBytes {
  /// What was asked for, bytes that were given back meanwhile included.
  let requested: Double
  /// What the allocator set aside for it, without what was given back.
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
