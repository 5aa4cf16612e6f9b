// SPDX-License-Identifier: MIT

extension Observable {
  /// Makes an observable of `value`. No observer is told of this first value (S0-1). Errors and traces call it
  /// by its `name`.
  @inlinable
  public convenience init(
    _ value: Value, cutOff: CutOff<Value>, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(value, [], name, file, line, Observable.operation(cutOff.isDuplicate))
  }

  /// Makes an observable whose values are compared by equality (S0-3).
  @inlinable
  public convenience init(
    _ value: Value, name: StaticString = "", file: StaticString = #fileID, line: UInt = #line
  ) where Value: Equatable {
    self.init(value, [], name, file, line, Observable.operationByEquality())
  }

  /// The present value.
  ///
  /// An assignment runs the observers before it returns; within a transaction they run when that is over. An
  /// assignment cannot throw, so an error goes elsewhere:
  ///
  /// - Within a transaction, the transaction fails with it.
  /// - In a formula outside of every transaction, the formula fails with it.
  /// - Otherwise, in a session, the session's log has it, and the program goes on.
  /// - Everywhere else it ends the process, as `try!` does.
  ///
  /// Where an observer may throw, write with ``set(_:)``, or inside a transaction.
  @inlinable
  public final var value: Value {
    @inline(__always)
    get { readOrTrap() }
    set {
      do { try set(newValue) } catch { Self.failOnAssignment(origin, error) }
    }
  }

  /// Writes the value. Outside of a transaction it also settles all nodes that depend on it.
  ///
  /// - Throws: the errors of observers and combiners; all the others have run nevertheless. Or
  ///   ``ObservableError/writeInFormula(_:)``.
  @inlinable
  public final func set(_ value: Value) throws { try write(value) }

  /// Makes the present transaction, or the running formula, fail: an assignment cannot throw.
  @usableFromInline
  static func failOnAssignment(_ origin: Origin, _ error: any Error) {
    if handOn(error, of: "an assignment to \(origin)") { return }
    stopProgram(
      "\(origin): '\(error)' reached an assignment, which cannot throw", expected: "no error outside of a transaction",
      remedy: "write with 'try set(_:)'")
  }
}

/// Hands on the error of a write that cannot throw: the present transaction fails with it, or the running formula, or
/// else the host of the entered graph takes it.
///
/// - Parameter place: the write, for the log.
/// - Returns: whether one of them has it. Elsewhere such an error is a mistake, for which the caller ends the program.
package func handOn(_ error: any Error, of place: @autoclosure () -> String) -> Bool {
  failTransaction(with: error) || failRunningFormula(with: error) || hostTakes(error, of: place())
}
