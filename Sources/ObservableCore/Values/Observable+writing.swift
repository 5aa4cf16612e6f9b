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
  /// transaction, otherwise its error ends the process, as `try!` would. Within a transaction an error fails that, and outside
  /// of one a formula that assigns fails.
  @inlinable
  public final var value: Value {
    @inline(__always)
    get { readOrTrap() }
    set {
      do { try set(newValue) } catch { Self.failOnAssignment(origin, error) }
    }
  }

  /// Writes the value, and settles everything that depends on it unless a transaction is open.
  ///
  /// - Throws: the errors of observers and combiners; all the others have run nevertheless. Or
  ///   ``ObservableError/writeInFormula(_:)``.
  @inlinable
  public final func set(_ value: Value) throws { try write(value) }

  /// Has the open transaction fail: an assignment cannot throw.
  @usableFromInline
  static func failOnAssignment(_ origin: Origin, _ error: any Error) {
    if failTransaction(with: error) || failRunningFormula(with: error) { return }
    stopProgram(
      "\(origin): '\(error)' reached an assignment, which cannot throw", expected: "no error outside of a transaction",
      remedy: "write with 'try set(_:)'")
  }
}
