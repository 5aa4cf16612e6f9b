// SPDX-License-Identifier: MIT

extension Computed {
  /// Makes a computed whose results are compared by `cutOff`. Errors and traces call it by its `name`.
  @inlinable
  public convenience init(
    cutOff: CutOff<Value>, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    _ formula: @escaping () throws -> Value
  ) {
    self.init(name, file, line, cutOff, formula)
  }

  /// Makes a computed whose results are compared by equality. The formula does not run yet.
  @inlinable
  public convenience init(
    name: StaticString = "", file: StaticString = #fileID, line: UInt = #line, _ formula: @escaping () throws -> Value
  ) where Value: Equatable {
    self.init(name, file, line, formula)
  }

  /// Makes a computed for a `lazy var` of its owner. The formula gets the owner without keeping it alive. Once
  /// the owner has gone, the computed has the error ``ObservableError/closed(_:)``.
  ///
  /// ```swift
  /// lazy var canAdd = Computed(self) { !$0.draft.isEmpty }
  /// ```
  @inlinable
  public convenience init<Owner: AnyObject>(
    _ owner: Owner, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    _ formula: @escaping (Owner) throws -> Value
  ) where Value: Equatable {
    self.init(name: name, file: file, line: line, Self.handing(owner, name, file, line, to: formula))
    self.owner = FormulaOwner(owner)
  }

  /// The same, with results that are compared by `cutOff`.
  @inlinable
  public convenience init<Owner: AnyObject>(
    _ owner: Owner, cutOff: CutOff<Value>, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line,
    _ formula: @escaping (Owner) throws -> Value
  ) {
    self.init(cutOff: cutOff, name: name, file: file, line: line, Self.handing(owner, name, file, line, to: formula))
    self.owner = FormulaOwner(owner)
  }

  @inlinable
  static func handing<Owner: AnyObject>(
    _ owner: Owner, _ name: StaticString, _ file: StaticString, _ line: UInt,
    to formula: @escaping (Owner) throws -> Value
  ) -> () throws -> Value {
    { [weak owner] in
      guard let owner else { throw Origin.gone(name, file, line) }
      return try formula(owner)
    }
  }

  /// The present value. A formula that reads it has this computed as an input.
  ///
  /// - Precondition: the formula did not throw, and does not read itself. Read a computed that may do so with
  ///   ``ObservableValue/get()``.
  @inlinable
  public var value: Value {
    @inline(__always)
    get { readOrTrap() }
  }
}

/// Runs `body` so that the values that it reads are no inputs of the formula that calls it.
public func untracked<Result>(_ body: () throws -> Result) rethrows -> Result {
  try withPropagation { try $0.untracked(body) }
}
