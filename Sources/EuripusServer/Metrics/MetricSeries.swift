// SPDX-License-Identifier: MIT
public import CoreMetrics
import Locking
import Synchronization

/// The observations of one series, as a ``Distribution``.
public final class HistogramSeries: TimerHandler, RecorderHandler, Sendable {
  /// The bounds for durations, from 50 microseconds to 10 seconds, in seconds.
  public static let latencyBounds: [Double] = [
    0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
  ]

  private let observed: Locked<Distribution>

  public init(bounds: [Double] = latencyBounds) { observed = Locked(Distribution(bounds: bounds)) }

  public func observe(_ value: Double) { observed.withLock { $0.observe(value) } }
  public func recordNanoseconds(_ duration: Int64) { observe(Double(duration) / 1e9) }
  public func record(_ value: Int64) { observe(Double(value)) }
  public func record(_ value: Double) { observe(value) }

  /// All observations so far.
  public var distribution: Distribution { observed.withLock { $0 } }
}

/// A number that only grows, until it is reset.
public final class CounterSeries: CounterHandler, Sendable {
  private let count = Atomic<Int64>(0)

  public init() {}

  public var value: Int64 { count.load(ordering: .relaxed) }

  public func increment(by amount: Int64 = 1) { count.wrappingAdd(amount, ordering: .relaxed) }

  public func reset() { count.store(0, ordering: .relaxed) }
}

/// A number that goes up and down.
public final class GaugeSeries: MeterHandler, RecorderHandler, FloatingPointCounterHandler, Sendable {
  private let number = Locked<Double>(0)

  public init() {}

  public var value: Double { number.withLock { $0 } }

  public func set(_ value: Double) { number.withLock { $0 = value } }
  public func set(_ value: Int64) { set(Double(value)) }
  public func record(_ value: Double) { set(value) }
  public func record(_ value: Int64) { set(Double(value)) }
  public func reset() { set(0 as Double) }
  public func increment(by amount: Double) { number.withLock { $0 += amount } }
  public func decrement(by amount: Double) { increment(by: -amount) }
}
