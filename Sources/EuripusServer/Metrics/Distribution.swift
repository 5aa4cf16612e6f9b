// SPDX-License-Identifier: MIT
import ObservableCore

/// Counts of observations by their size, in buckets, and the sum of all observations.
public struct Distribution: Sendable {
  /// The upper bounds of the buckets, in rising order. One more bucket has the larger observations.
  public let bounds: [Double]
  /// The count of each bucket, not added up.
  public private(set) var counts: [UInt64]
  public private(set) var sum: Double

  public init(bounds: [Double]) {
    self.init(bounds: bounds, counts: [UInt64](repeating: 0, count: bounds.count + 1), sum: 0)
  }

  /// - Parameter counts: one count for each bound, and one for the observations above all bounds.
  public init(bounds: [Double], counts: [UInt64], sum: Double) {
    if !zip(bounds, bounds.dropFirst()).allSatisfy(<) {
      stopProgram(bug: "the bounds of a histogram do not rise: \(bounds)")
    }
    if counts.count != bounds.count + 1 { stopProgram(bug: "\(counts.count) counts for \(bounds.count) bounds") }
    (self.bounds, self.counts, self.sum) = (bounds, counts, sum)
  }

  mutating func observe(_ value: Double) {
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    sum += value
  }

  public var count: UInt64 { counts.reduce(0, +) }
}
