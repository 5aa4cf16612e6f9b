// SPDX-License-Identifier: MIT

/// The rule that says which writes are no changes, so that no observer is told of them.
///
/// By default an `Equatable` value is cut off by equality (S0-3). An observable of pulses, each of which
/// counts, has `.never`.
public struct CutOff<Value> {
  /// The answer to "is `new` nothing new after `old`?".
  @usableFromInline let isDuplicate: (_ old: Value, _ new: Value) -> Bool

  /// Makes a rule that cuts off a value if `isDuplicate` is true of the old and the new one.
  @inlinable
  public init(_ isDuplicate: @escaping (_ old: Value, _ new: Value) -> Bool) {
    self.isDuplicate = isDuplicate
  }

  /// Makes every write a change, for pulses such as a tap: two of them are two notifications (S0-4).
  @inlinable
  public static var never: CutOff { CutOff { _, _ in false } }
}

extension CutOff where Value: Equatable {
  /// Cuts off values that are equal (S0-3).
  @inlinable
  public static var equality: CutOff { CutOff(==) }
}

extension CutOff {
  /// Cuts off values that are equal, except where the old value is `nil`: a write over `nil` is always a change, even
  /// if it writes `nil` again (S0-4). ``equality`` cuts off such a write.
  @inlinable
  public static func equalityOverNil<Wrapped: Equatable>() -> CutOff where Value == Wrapped? {
    CutOff { old, new in old != nil && old == new }
  }
}
