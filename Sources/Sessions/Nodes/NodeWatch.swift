// SPDX-License-Identifier: MIT

/// The other nodes as one of them sees them: each counts in the store how often it has said that it is there, and one that has
/// not counted on for long is gone. A value, without a clock.
///
/// No clock of another machine counts, and none that can be set: a node measures by its own for how long it has seen no change.
package struct NodeWatch: Sendable {
  /// How long a node gives no sign before others take it for gone: longer than ``Lease/time``, for which it takes itself for alive.
  package static let patience: Duration = .milliseconds(2_500)

  private var seen: [UInt64: (beats: Int64, at: ContinuousClock.Instant)] = [:]

  package init() {}

  /// Takes note of all nodes that are in the store now.
  package mutating func look(_ nodes: [(boot: UInt64, beats: Int64)], _ now: ContinuousClock.Instant) {
    let before = seen
    seen = [:]
    for (boot, beats) in nodes {
      if let known = before[boot], known.beats == beats { seen[boot] = known } else { seen[boot] = (beats, now) }
    }
  }

  /// The nodes that have given no sign for long, with the count that each had reached.
  package func gone(_ now: ContinuousClock.Instant) -> [(boot: UInt64, beats: Int64)] {
    seen.filter { now - $0.value.at > Self.patience }.map { ($0.key, $0.value.beats) }.sorted { $0.boot < $1.boot }
  }
}
