// SPDX-License-Identifier: MIT
import Locking

/// Counts of durations by their length, and the sum of all durations.
package struct DurationTally: Sendable {
  package struct Reading: Sendable {
    /// The counts: one for each of the `bounds`, and at the end one for all longer durations. A duration counts
    /// at the lowest bound that it does not exceed.
    package var counts = [UInt64](repeating: 0, count: bounds.count + 1)
    /// The sum, in seconds.
    package var sum: Double = 0
  }

  /// The bounds, from 50 microseconds to 10 seconds, in seconds.
  package static let bounds: [Double] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
  ]

  private let state = Locked(Reading())

  init() {}

  func add(_ seconds: Double) {
    let index = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    state.withLock { state in
      state.counts[index] += 1
      state.sum += seconds
    }
  }

  package var reading: Reading { state.withLock { $0 } }
}
