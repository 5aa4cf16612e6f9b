// SPDX-License-Identifier: MIT

/// How many observations were how large, in buckets, and their sum.
public struct Distribution: Sendable {
  /// The upper bounds of the buckets, which rise; one more bucket has what is larger.
  public let bounds: [Double]
  /// By bucket, not added up.
  public private(set) var counts: [UInt64]
  public private(set) var sum: Double

  public init(bounds: [Double]) {
    self.init(bounds: bounds, counts: [UInt64](repeating: 0, count: bounds.count + 1), sum: 0)
  }

  /// - Parameter counts: one for each bound, and one for what is larger than all of them.
  public init(bounds: [Double], counts: [UInt64], sum: Double) {
    precondition(zip(bounds, bounds.dropFirst()).allSatisfy(<), "the bounds of a histogram must rise: \(bounds)")
    precondition(counts.count == bounds.count + 1, "expected \(bounds.count + 1) counts, got \(counts.count)")
    (self.bounds, self.counts, self.sum) = (bounds, counts, sum)
  }

  mutating func observe(_ value: Double) {
    counts[bounds.firstIndex { value <= $0 } ?? bounds.count] += 1
    sum += value
  }

  public var count: UInt64 { counts.reduce(0, +) }
}
