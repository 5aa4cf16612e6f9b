// SPDX-License-Identifier: MIT
public import CoreMetrics
import Synchronization

/// A number that only grows, until it is reset.
public final class CounterSeries: CounterHandler, Sendable {
  private let count = Atomic<Int64>(0)

  public init() {}

  public var value: Int64 { count.load(ordering: .relaxed) }

  public func increment(by amount: Int64 = 1) { count.wrappingAdd(amount, ordering: .relaxed) }

  public func reset() { count.store(0, ordering: .relaxed) }
}
