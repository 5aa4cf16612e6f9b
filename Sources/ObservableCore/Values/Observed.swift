// SPDX-License-Identifier: MIT

/// A property whose value is that of an ``Observable``, which `$name` gives.
///
/// ```swift
/// final class Counter {
///   @Observed var count = 0
///   func increment() { count += 1 }
/// }
/// counter.$count.addObserver(shown)
/// ```
///
/// Reading it in a formula makes it an input; assigning it is ``Observable/value``'s setter. A change in place, as by
/// `append`, makes a copy of the value: O(its size). A `didSet` of the property runs for values assigned to the
/// property alone, and not for values that a client or a store writes by the observable: add an observer for that.
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

  /// A property whose value equality cuts off (S0-3). Errors and traces call it by its `name`, or else by the surface's.
  @inlinable
  public init(
    wrappedValue: Value, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) where Value: Equatable {
    projectedValue = Observable(wrappedValue, name: name, file: file, line: line)
  }

  /// A property whose `cutOff` says which write is no change.
  @inlinable
  public init(
    wrappedValue: Value, cutOff: CutOff<Value>, name: StaticString = "", file: StaticString = #fileID,
    line: UInt = #line
  ) {
    projectedValue = Observable(wrappedValue, cutOff: cutOff, name: name, file: file, line: line)
  }

  /// A property that is `nil` at first, and whose `cutOff` says which write is no change.
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
