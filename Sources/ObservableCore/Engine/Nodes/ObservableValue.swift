// SPDX-License-Identifier: MIT

/// A value that can be read and watched: the common part of an ``Observable``, an ``ObservableCombiner`` and a
/// ``Computed``.
///
/// It keeps its observers alive (S0-8). Subscribing does not replay the present value unless it is asked to
/// (S0-5).
///
/// It is not `Sendable`: one thread uses it at a time.
public class ObservableValue<Value>: Node, Readable {
  /// The present value, or the error in its place.
  ///
  /// - Throws: the error of a ``Computed``'s formula, or ``ObservableError/cycle(_:)``. An ``Observable`` and an
  ///   ``ObservableCombiner`` always have a value.
  @inlinable @inline(__always)
  public final func get() throws -> Value {
    if state.has(.computed) { return try unsafeDowncast(self, to: Computed<Value>.self).read() }
    return try unsafeDowncast(self, to: Observable<Value>.self).read()
  }

  /// The same, for code that does not know the type of the value. A computed stores its value in an optional,
  /// whose type the runtime would look up; for other values it is not asked.
  package final func getOfAnyType() throws -> Value {
    if state.has(.computed) { return try getOfComputed() }
    return try unsafeDowncast(self, to: Observable<Value>.self).read()
  }

  @inline(never)
  private final func getOfComputed() throws -> Value { try unsafeDowncast(self, to: Computed<Value>.self).read() }

  /// The value from before the transaction, for a watcher that is told of its end; `nil` for an error in its
  /// place.
  package final var valueBefore: Value? {
    guard state.has(.computed) else { return unsafeDowncast(self, to: Observable<Value>.self).before }
    let computed = unsafeDowncast(self, to: Computed<Value>.self)
    return computed.failureBefore == nil ? computed.before : nil
  }
}
