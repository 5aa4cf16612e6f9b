// SPDX-License-Identifier: MIT

/// The rule that says when a write is no change, so that nobody is told of it.
///
/// By default a value that is `Equatable` is cut off by equality (S0-3). A pulse, of which each one counts,
/// is an observable with `.never`.
public struct CutOff<Value> {
  /// The answer to "is `new` nothing new after `old`?".
  @usableFromInline let isDuplicate: (_ old: Value, _ new: Value) -> Bool

  /// Cuts off values that `isDuplicate` holds to be the same as before.
  @inlinable
  public init(_ isDuplicate: @escaping (_ old: Value, _ new: Value) -> Bool) {
    self.isDuplicate = isDuplicate
  }

  /// Takes every write for a change: for pulses such as a tap, two of which are two notifications (S0-4).
  @inlinable
  public static var never: CutOff { CutOff { _, _ in false } }
}

extension CutOff where Value: Equatable {
  /// An equal write is no change (S0-3).
  @inlinable
  public static var equality: CutOff { CutOff(==) }
}

extension CutOff {
  /// Compares as the documents' `isEqual:`: by equality, but a write over `nil` always counts, `nil` over `nil` included,
  /// because `[nil isEqual:x]` is `NO` (S0-4).
  @inlinable
  public static func equalityOverNil<Wrapped: Equatable>() -> CutOff where Value == Wrapped? {
    CutOff { old, new in old != nil && old == new }
  }
}
