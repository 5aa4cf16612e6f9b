// SPDX-License-Identifier: MIT

/// The calls by which a shape drives a framework: it writes signals, reads computed values, and batches writes.
///
/// Every requirement is a static function that is inlined where it is called. The graphs are generic over the
/// framework, so after specialisation nothing of this protocol is left.
public protocol ReactiveFramework<Value> {
  associatedtype Value: Equatable
  /// A value that can be written.
  associatedtype Signal
  /// A value that is made from others.
  associatedtype Computed
  /// An object that keeps an observer subscribed. It lives as long as the shape.
  associatedtype Subscription

  /// Whether one batch tells an observer at most once. Otherwise a shape accepts more calls than it expects.
  static var tellsOnce: Bool { get }
  /// Whether a formula runs only if one of the values it last read has changed, so that runs can be counted exactly.
  static var computesOnce: Bool { get }

  static func signal(_ value: Value) -> Signal
  static func write(_ signal: Signal, _ value: Value) throws
  static func read(_ computed: Computed) -> Value
  static func batch(_ body: () throws -> Void) throws
  static func observe(_ signal: Signal, _ handler: @escaping (Value) -> Void) -> Subscription
}

/// A framework that finds the inputs of a formula as the formula reads them.
public protocol TrackingFramework<Value>: ReactiveFramework {
  /// A signal or a computed, for formulas that read both kinds through one array.
  associatedtype Node

  static func node(_ signal: Signal) -> Node
  static func node(_ computed: Computed) -> Node
  static func read(_ node: Node) -> Value
  static func read(_ signal: Signal) -> Value
  static func computed(_ formula: @escaping () -> Value) -> Computed
  static func observe(_ computed: Computed, _ handler: @escaping (Value) -> Void) -> Subscription
}
