// SPDX-License-Identifier: MIT

/// The other nodes, as one node sees them. Each node counts its signs in the store. A node whose count has
/// stood still for long is gone. A value, without a clock.
///
/// No clock of another machine counts, and no clock that can be set. A node measures with its own clock for how
/// long a count has stood still.
package struct NodeWatch: Sendable {
  /// The time without a sign after which a node counts as gone. It is longer than ``Lease/time``, for which a
  /// node believes that it is alive.
  package static let patience: Duration = .milliseconds(2_500)

  private var seen: [UInt64: (beats: Int64, at: ContinuousClock.Instant)] = [:]

  package init() {}

  /// Takes in the counts of all nodes that are in the store now.
  package mutating func look(_ nodes: [(boot: UInt64, beats: Int64)], _ now: ContinuousClock.Instant) {
    let before = seen
    seen = [:]
    for (boot, beats) in nodes {
      if let known = before[boot], known.beats == beats { seen[boot] = known } else { seen[boot] = (beats, now) }
    }
  }

  /// The nodes that have given no sign for long, each with the count that it had reached.
  package func gone(_ now: ContinuousClock.Instant) -> [(boot: UInt64, beats: Int64)] {
    seen.filter { now - $0.value.at > Self.patience }.map { ($0.key, $0.value.beats) }.sorted { $0.boot < $1.boot }
  }
}
