// SPDX-License-Identifier: MIT

/// A node with a present value. Do not conform to it. It is a protocol because an ``Observable`` has a `value`
/// of its own, which can be written. A member of its superclass could not be replaced by one that is called
/// directly.
public protocol Readable<Value>: Node {
  /// The type of the value.
  associatedtype Value

  /// The present value, or the error in its place.
  func get() throws -> Value
}

extension Readable {
  /// The present value.
  ///
  /// A formula of a ``Computed`` that reads it has this node as an input.
  ///
  /// - Precondition: it is no computed whose formula threw or reads itself. Read one that may be with
  ///   ``get()``.
  @inlinable @inline(__always)
  public var value: Value {
    do { return try get() } catch { cannotThrow(error) }
  }
}

extension Node {
  @usableFromInline
  final func cannotThrow(_ error: any Error) -> Never {
    stopProgram(
      "\(origin): '\(error)' in place of a value, and reading 'value' cannot throw", expected: "a value",
      remedy: "read it with 'try get()'")
  }
}
