// SPDX-License-Identifier: MIT

extension Computed {
  /// A computed whose result is no change when `cutOff` says so. Errors and traces call it by its `name`.
  @inlinable
  public convenience init(
    cutOff: CutOff<Value>, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    _ formula: @escaping () throws -> Value
  ) {
    self.init(name, file, line, cutOff, formula)
  }

  /// A computed of a value that equality cuts off. The formula does not run yet.
  @inlinable
  public convenience init(
    name: StaticString = "", file: StaticString = #fileID, line: UInt = #line, _ formula: @escaping () throws -> Value
  ) where Value: Equatable {
    self.init(name, file, line, formula)
  }

  /// The present value. Read inside the formula of another it makes this one of its inputs.
  ///
  /// - Precondition: the formula did not throw, and does not read itself: ask such a one with ``ObservableValue/get()``.
  @inlinable
  public var value: Value {
    @inline(__always)
    get { readOrTrap() }
  }
}

/// Runs `body` so that what it reads is no input of the formula that calls it.
public func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
  try withPropagation { try $0.untracked(body) }
}
