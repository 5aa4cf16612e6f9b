// SPDX-License-Identifier: MIT
public import ObservableCore
public import ReactiveShapes

/// The observable core as the shapes see it.
public enum EuripusFramework<Value: Equatable>: TrackingFramework {
  public typealias Signal = Observable<Value>
  public typealias Computed = ObservableCore.Computed<Value>
  public typealias Node = ObservableValue<Value>
  /// An observable holds its observers, so nothing need be kept.
  public typealias Subscription = Void

  @inlinable public static var tellsOnce: Bool { true }
  @inlinable public static var computesOnce: Bool { true }

  @inlinable @inline(__always)
  public static func signal(_ value: Value) -> Signal { Observable(value) }

  @inlinable @inline(__always)
  public static func node(_ signal: Signal) -> Node { signal }

  @inlinable @inline(__always)
  public static func node(_ computed: Computed) -> Node { computed }

  @inlinable @inline(__always)
  public static func write(_ signal: Signal, _ value: Value) throws { try signal.set(value) }

  @inlinable @inline(__always)
  public static func read(_ signal: Signal) -> Value { signal.value }

  @inlinable @inline(__always)
  public static func read(_ computed: Computed) -> Value { computed.value }

  @inlinable @inline(__always)
  public static func read(_ node: Node) -> Value { node.value }

  @inlinable @inline(__always)
  public static func computed(_ formula: @escaping () -> Value) -> Computed { ObservableCore.Computed(formula) }

  @inlinable @inline(__always)
  public static func batch(_ body: () throws -> Void) throws { try transaction { try body() } }

  @inlinable @inline(__always)
  public static func observe(_ signal: Signal, _ handler: @escaping (Value) -> Void) {
    signal.addObserver(Observer(handler))
  }

  @inlinable @inline(__always)
  public static func observe(_ computed: Computed, _ handler: @escaping (Value) -> Void) {
    computed.addObserver(Observer(handler))
  }
}
