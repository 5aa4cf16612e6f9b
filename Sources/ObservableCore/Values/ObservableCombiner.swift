// SPDX-License-Identifier: MIT

/// An observable made from others: its handler takes their present values and gives its value.
///
/// ```swift
/// let loginEnabled = ObservableCombiner(.every, false)
/// loginEnabled.combine(usernameValid).combine(passwordValid).handle { $0 && $1 }
/// ```
///
/// Combining and setting the handler run nothing; the handler runs when an input notifies, as the ``CombineStrategy``
/// says, once a transaction, after its inputs have settled (S0-13 to S0-18). A combiner made without a value is an
/// observable of an optional that is `nil` until then.
///
/// Inputs may be woven later and in a circle (S0-22): it settles when the cut-off stops the changes, or the transaction
/// throws ``ObservableError/unsettled(_:rounds:)``. A combiner keeps its inputs alive, they do not keep it (S0-21).
public final class ObservableCombiner<Value>: Observable<Value> {
  /// A combiner that holds `value` until its handler first runs.
  @inlinable
  public convenience init(
    _ strategy: CombineStrategy, _ value: Value, cutOff: CutOff<Value>, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(value, strategy.flags, name, file, line, Observable<Value>.operation(cutOff.isDuplicate))
  }

  /// A combiner that holds `value` until its handler first runs, cut off by equality.
  @inlinable
  public convenience init(
    _ strategy: CombineStrategy, _ value: Value, name: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) where Value: Equatable {
    self.init(value, strategy.flags, name, file, line, Observable<Value>.operationByEquality())
  }

  /// A combiner whose value is `nil` until its handler first runs.
  ///
  /// It is cut off as the documents' is: a `nil` over a `nil` notifies again (S0-19).
  @inlinable
  public convenience init<Wrapped: Equatable>(
    _ strategy: CombineStrategy, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(strategy, nil, cutOff: .equalityOverNil(), name: name, file: file, line: line)
  }

  /// Combines inputs; `handle` on the returned combiner sets the handler, `combine` adds another input.
  public func combine<each Input>(
    _ inputs: repeat ObservableValue<each Input>
  ) -> Combination<Value, repeat each Input> {
    repeat attach(each inputs)
    return Combination(combiner: self, inputs: repeat each inputs)
  }
}
