// SPDX-License-Identifier: MIT

/// A node with a present value. Not for others to conform to: an ``Observable`` has a `value` of its own, which can be
/// written, and a member of its superclass could not be replaced by one that is called directly.
public protocol Readable<Value>: Node {
  /// The type of the value.
  associatedtype Value

  /// The present value, or the error in its place.
  func get() throws -> Value
}

extension Readable {
  /// The present value.
  ///
  /// Read inside the formula of a ``Computed`` it makes this one of its inputs.
  ///
  /// - Precondition: it is no computed whose formula threw or reads itself: ask such a one with ``get()``.
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
