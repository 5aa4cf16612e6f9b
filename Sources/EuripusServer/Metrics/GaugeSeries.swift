// SPDX-License-Identifier: MIT
public import CoreMetrics
import Locking

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
