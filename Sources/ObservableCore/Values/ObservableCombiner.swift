// SPDX-License-Identifier: MIT

/// An observable made from others: its handler gets their present values and gives its value.
///
/// ```swift
/// let loginEnabled = ObservableCombiner(.every, false)
/// loginEnabled.combine(usernameValid).combine(passwordValid).handle { $0 && $1 }
/// ```
///
/// Combining and setting the handler run nothing. The handler runs when an input notifies, by the rule of the
/// ``CombineStrategy``. It runs once in a transaction, after its inputs have settled (S0-13 to S0-18). A
/// combiner made without a value is an observable of an optional, which is `nil` until the first run.
///
/// Inputs may be added later, and may form a circle (S0-22). The circle settles when a cut-off stops the
/// changes; otherwise the transaction throws ``ObservableError/unsettled(_:rounds:)``. A combiner keeps its
/// inputs alive; they do not keep it alive (S0-21).
public final class ObservableCombiner<Value>: Observable<Value> {
  /// Makes a combiner that has `value` until its handler first runs.
  @inlinable
  public convenience init(
    _ strategy: CombineStrategy, _ value: Value, cutOff: CutOff<Value>, name: StaticString = "",
    file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(value, strategy.flags, name, file, line, Observable<Value>.operation(cutOff.isDuplicate))
  }

  /// Makes a combiner that has `value` until its handler first runs; its values are compared by equality.
  @inlinable
  public convenience init(
    _ strategy: CombineStrategy, _ value: Value, name: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) where Value: Equatable {
    self.init(value, strategy.flags, name, file, line, Observable<Value>.operationByEquality())
  }

  /// Makes a combiner whose value is `nil` until its handler first runs.
  ///
  /// Its cut-off is ``CutOff/equalityOverNil()``: while the value is `nil`, each run of the handler is a change, even
  /// if it gives `nil` again (S0-19).
  @inlinable
  public convenience init<Wrapped: Equatable>(
    _ strategy: CombineStrategy, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) where Value == Wrapped? {
    self.init(strategy, nil, cutOff: .equalityOverNil(), name: name, file: file, line: line)
  }

  /// Combines inputs. On the returned combination `handle` sets the handler, and `combine` adds another input.
  public func combine<each Input>(
    _ inputs: repeat ObservableValue<each Input>
  ) -> Combination<Value, repeat each Input> {
    repeat attach(each inputs)
    return Combination(combiner: self, inputs: repeat each inputs)
  }
}
