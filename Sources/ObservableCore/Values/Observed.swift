// SPDX-License-Identifier: MIT

/// A property whose value is that of an ``Observable``; `$name` is the observable.
///
/// ```swift
/// final class Counter {
///   @Observed var count = 0
///   func increment() { count += 1 }
/// }
/// counter.$count.addObserver(shown)
/// ```
///
/// A formula that reads it has it as an input. Assigning it calls the setter of ``Observable/value``. A change
/// in place, as by `append`, makes a copy of the value: O(its size). A `didSet` of the property runs for
/// assignments to the property alone. It does not run for values that a client or a store writes by the
/// observable: add an observer for these.
@propertyWrapper
public struct Observed<Value> {
  /// The observable.
  public let projectedValue: Observable<Value>

  /// The present value.
  @inlinable
  public var wrappedValue: Value {
    get { projectedValue.value }
    nonmutating set { projectedValue.value = newValue }
  }

  /// Makes a property whose values are compared by equality (S0-3). Errors and traces call it by its `name`, or
  /// else by that of its entry on the surface.
  @inlinable
  public init(
    wrappedValue: Value, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) where Value: Equatable {
    projectedValue = Observable(wrappedValue, name: name, file: file, line: line)
  }

  /// Makes a property whose values are compared by `cutOff`.
  @inlinable
  public init(
    wrappedValue: Value, cutOff: CutOff<Value>, name: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) {
    projectedValue = Observable(wrappedValue, cutOff: cutOff, name: name, file: file, line: line)
  }

  /// Makes a property that is `nil` at first, and whose values are compared by `cutOff`.
  @inlinable
  public init(
    cutOff: CutOff<Value>, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) where Value: ExpressibleByNilLiteral {
    self.init(wrappedValue: nil, cutOff: cutOff, name: name, file: file, line: line)
  }

  @available(
    *, unavailable,
    message: "the type is not Equatable: say what is no change, as in '@Observed(cutOff: .never) var name = …'"
  )
  public init(wrappedValue: Value) { stopProgram(bug: "it is unavailable") }
}
