// SPDX-License-Identifier: MIT

extension Observable {
  /// An observable that holds `value` and tells nobody of it (S0-1). Errors and traces call it by its `name`.
  @inlinable
  public convenience init(
    _ value: Value, cutOff: CutOff<Value>, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(value, [], name, file, line, Observable.operation(cutOff.isDuplicate))
  }

  /// An observable of a value that equality cuts off (S0-3).
  @inlinable
  public convenience init(
    _ value: Value, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) where Value: Equatable {
    self.init(value, [], name, file, line, Observable.operationByEquality())
  }

  /// The present value.
  ///
  /// Assigning runs the observers. An assignment cannot throw: if an observer may, write with ``set(_:)`` or inside a
  /// transaction, otherwise its error ends the process, as `try!` would.
  @inlinable
  public final var value: Value {
    @inline(__always)
    get { readOrTrap() }
    set {
      do { try set(newValue) } catch { Self.cannotThrowOnAssignment(origin, error) }
    }
  }

  /// Writes the value, and settles everything that depends on it unless a transaction is open.
  ///
  /// - Throws: what observers and combiners threw; all the others have run nevertheless. Or
  ///   ``ObservableError/writeInFormula(_:)``.
  @inlinable
  public final func set(_ value: Value) throws { try write(value) }

  @usableFromInline
  static func cannotThrowOnAssignment(_ origin: Origin, _ error: any Error) -> Never {
    // Not preconditionFailure, which says nothing in a release build.
    fatalError("\(origin): '\(error)' reached an assignment, which cannot throw; write with 'try set(_:)'")
  }
}
