// SPDX-License-Identifier: MIT
public import CoreMetrics
import Synchronization

/// How many observations were how large, in buckets, and their sum.
///
/// An observation is two additions to atomics; a reader may see one without the other.
// @unchecked Sendable: the buckets are atomics, allocated in `init` and freed in `deinit`.
public final class HistogramSeries: TimerHandler, RecorderHandler, @unchecked Sendable {
  /// The upper bounds of the buckets, which rise; one more bucket has what is larger.
  public let bounds: [Double]
  private let buckets: UnsafeMutablePointer<Atomic<UInt64>>
  private let sumBits = Atomic<UInt64>(0)

  /// What takes from 50 microseconds to 10 seconds, in seconds.
  public static let latencyBounds: [Double] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
  ]

  public init(bounds: [Double] = latencyBounds) {
    precondition(
      zip(bounds, bounds.dropFirst()).allSatisfy(<), "the bounds of a histogram must rise: \(bounds)")
    self.bounds = bounds
    buckets = .allocate(capacity: bounds.count + 1)
    for index in 0...bounds.count { (buckets + index).initialize(to: Atomic(0)) }
  }

  deinit {
    buckets.deinitialize(count: bounds.count + 1)
    buckets.deallocate()
  }

  public func observe(_ value: Double) {
    var index = 0
    while index < bounds.count, value > bounds[index] { index += 1 }
    buckets[index].wrappingAdd(1, ordering: .relaxed)
    sumBits.addDouble(value)
  }

  public func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
  public func record(_ value: Int64) { observe(Double(value)) }
  public func record(_ value: Double) { observe(value) }

  /// By bucket, not added up.
  public var counts: [UInt64] { (0...bounds.count).map { buckets[$0].load(ordering: .relaxed) } }
  public var count: UInt64 { counts.reduce(0, +) }
  public var sum: Double { Double(bitPattern: sumBits.load(ordering: .relaxed)) }
}
