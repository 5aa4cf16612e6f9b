// SPDX-License-Identifier: MIT
import ObservableCore

/// The numbers of observations by their size, in buckets, and the sum of all.
public struct Distribution: Sendable {
  /// The upper bounds of the buckets, which rise; one more bucket has the larger observations.
  public let bounds: [Double]
  /// The counts by bucket, not added up.
  public private(set) var counts: [UInt64]
  public private(set) var sum: Double

  public init(bounds: [Double]) {
    self.init(bounds: bounds, counts: [UInt64](repeating: 0, count: bounds.count + 1), sum: 0)
  }

  /// - Parameter counts: one for each bound, and one for observations that are larger than all of them.
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
