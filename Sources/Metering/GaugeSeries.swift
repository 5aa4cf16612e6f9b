// SPDX-License-Identifier: MIT
public import CoreMetrics
import Synchronization

/// A number that goes up and down.
public final class GaugeSeries: MeterHandler, RecorderHandler, FloatingPointCounterHandler, Sendable {
  /// The bits of a `Double`.
  private let bits = Atomic<UInt64>(0)

  public init() {}

  public var value: Double { Double(bitPattern: bits.load(ordering: .relaxed)) }

  public func set(_ value: Double) { bits.store(value.bitPattern, ordering: .relaxed) }
  public func set(_ value: Int64) { set(Double(value)) }
  public func record(_ value: Double) { set(value) }
  public func record(_ value: Int64) { set(Double(value)) }
  public func reset() { set(0 as Double) }
  public func decrement(by amount: Double) { increment(by: -amount) }

  public func increment(by amount: Double) { bits.addDouble(amount) }
}

extension Atomic<UInt64> {
  /// Adds to the `Double` whose bits these are.
  func addDouble(_ amount: Double) {
    var known = load(ordering: .relaxed)
    while true {
      let sum = (Double(bitPattern: known) + amount).bitPattern
      let (exchanged, original) = compareExchange(expected: known, desired: sum, ordering: .relaxed)
      if exchanged { return }
      known = original
    }
  }
}
