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
  /// For each stripe a sum, as bits, and the buckets.
  private let cells: UnsafeMutablePointer<Atomic<UInt64>>
  /// Cells from one stripe to the next, in whole lines of caches.
  private let stride: Int

  /// What takes from 50 microseconds to 10 seconds, in seconds.
  public static let latencyBounds: [Double] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
  ]

  public init(bounds: [Double] = latencyBounds) {
    precondition(
      zip(bounds, bounds.dropFirst()).allSatisfy(<), "the bounds of a histogram must rise: \(bounds)")
    self.bounds = bounds
    stride = (bounds.count + 2 + 15) / 8 * 8
    cells = .allocate(capacity: stride * Stripe.count)
    for index in 0..<stride * Stripe.count { (cells + index).initialize(to: Atomic(0)) }
  }

  deinit {
    cells.deinitialize(count: stride * Stripe.count)
    cells.deallocate()
  }

  public func observe(_ value: Double) {
    var index = 0
    while index < bounds.count, value > bounds[index] { index += 1 }
    let own = cells + stride * Stripe.own
    own[0].addDouble(value)
    own[1 + index].wrappingAdd(1, ordering: .relaxed)
  }

  public func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
  public func record(_ value: Int64) { observe(Double(value)) }
  public func record(_ value: Double) { observe(value) }

  /// By bucket, not added up.
  public var counts: [UInt64] { (0...bounds.count).map { bucket in stripes.reduce(0) { $0 + load($1 + 1 + bucket) } } }
  public var count: UInt64 { counts.reduce(0, +) }
  public var sum: Double { stripes.reduce(0) { $0 + Double(bitPattern: load($1)) } }

  /// Where the cells of each begin.
  private var stripes: [Int] { (0..<Stripe.count).map { $0 * stride } }

  private func load(_ cell: Int) -> UInt64 { cells[cell].load(ordering: .relaxed) }
}
