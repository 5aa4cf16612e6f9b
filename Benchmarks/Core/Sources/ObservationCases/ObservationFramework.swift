// SPDX-License-Identifier: MIT
public import Observation
public import ReactiveShapes

/// Swift's Observation as the shapes see it, without the user interface that usually drives it.
///
/// As in an `@Observable` class, a computed is a property that runs again each time it is read. An observer is tracked
/// while it runs. It is marked when a value that it read is about to change, and runs again at the end of the batch,
/// where a user interface would wait for its next frame.
public enum ObservationFramework<Value: Equatable>: TrackingFramework {
  public typealias Signal = Cell<Value>
  public typealias Computed = Formula<Value>
  public typealias Node = Formula<Value>
  public typealias Subscription = Tracker

  public static var tellsOnce: Bool { true }
  public static var computesOnce: Bool { false }

  @inlinable @inline(__always)
  public static func signal(_ value: Value) -> Signal { Cell(value) }

  @inlinable @inline(__always)
  public static func node(_ signal: Signal) -> Node { Formula { signal.value } }

  @inlinable @inline(__always)
  public static func node(_ computed: Computed) -> Node { computed }

  @inlinable @inline(__always)
  public static func write(_ signal: Signal, _ value: Value) throws {
    signal.value = value
    if !Tracker.isBatching { Tracker.runMarked() }
  }

  @inlinable @inline(__always)
  public static func read(_ signal: Signal) -> Value { signal.value }

  @inlinable @inline(__always)
  public static func read(_ computed: Computed) -> Value { computed.run() }

  @inlinable @inline(__always)
  public static func computed(_ formula: @escaping () -> Value) -> Computed { Formula(formula) }

  @inlinable @inline(__always)
  public static func batch(_ body: () throws -> Void) throws {
    Tracker.isBatching = true
    try body()
    Tracker.isBatching = false
    Tracker.runMarked()
  }

  @inlinable @inline(__always)
  public static func observe(_ signal: Signal, _ handler: @escaping (Value) -> Void) -> Subscription {
    Tracker { handler(signal.value) }
  }

  @inlinable @inline(__always)
  public static func observe(_ computed: Computed, _ handler: @escaping (Value) -> Void) -> Subscription {
    Tracker { handler(computed.run()) }
  }
}

/// A value that can be written.
@Observable
public final class Cell<Value: Equatable> {
  public var value: Value

  public init(_ value: Value) { self.value = value }
}

/// A value that is computed each time it is read.
public struct Formula<Value> {
  public let run: () -> Value

  @inlinable public init(_ run: @escaping () -> Value) { self.run = run }
}
