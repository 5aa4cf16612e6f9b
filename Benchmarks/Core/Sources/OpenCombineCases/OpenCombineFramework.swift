// SPDX-License-Identifier: MIT
public import OpenCombine
public import ReactiveShapes

/// OpenCombine as the shapes see it. Signals are subjects. Each shape has pipelines of its own, written out by hand,
/// since a pipeline names its inputs.
///
/// Where two pipelines meet, `combineLatest` also computes values that mix old and new inputs, and hands them on.
/// There is no batch: each write runs through at once.
public enum OpenCombineFramework<Value: Equatable>: ReactiveFramework {
  public typealias Signal = CurrentValueSubject<Value, Never>
  public typealias Computed = Readable<Value>
  public typealias Subscription = AnyCancellable

  public static var tellsOnce: Bool { false }
  public static var computesOnce: Bool { false }

  @inlinable @inline(__always)
  public static func signal(_ value: Value) -> Signal { CurrentValueSubject(value) }

  @inlinable @inline(__always)
  public static func write(_ signal: Signal, _ value: Value) throws { signal.value = value }

  @inlinable @inline(__always)
  public static func read(_ computed: Computed) -> Value { computed.read() }

  @inlinable @inline(__always)
  public static func batch(_ body: () throws -> Void) throws { try body() }

  @inlinable @inline(__always)
  public static func observe(_ signal: Signal, _ handler: @escaping (Value) -> Void) -> Subscription {
    signal.removeDuplicates().sink(receiveValue: handler)
  }
}

/// A pipeline's newest value: a pipeline itself has none, so the observer at its end keeps it.
public struct Readable<Value> {
  public let read: () -> Value

  init(_ read: @escaping () -> Value) { self.read = read }
}

/// The place in which the observer at the end of a pipeline keeps the newest value.
final class Latest<Value> {
  @exclusivity(unchecked) var value: Value

  init(_ value: Value) { self.value = value }

  var readable: Readable<Value> { Readable { self.value } }
}
