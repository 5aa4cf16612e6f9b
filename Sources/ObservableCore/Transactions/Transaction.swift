// SPDX-License-Identifier: MIT

/// The fate of a transaction when a handler that it runs throws.
public enum FailurePolicy: Sendable {
  /// The other handlers run all the same, the changes stay, and the error reaches the caller at the end.
  case finish
  /// The first error stops the rest, and every value is put back. Effects of handlers outside the graph stay.
  case undo
}

/// Makes all writes of `body` one indivisible change (D1).
///
/// While `body` runs, no observer is told, and a combiner has its value from before. Then combiners run, inputs
/// first, and observers are told of the values that have changed. A value that `body` has written and set back, even
/// to an equal one, has not changed, and keeps the old value. When a handler writes, that write is a change of its
/// own, and settles before the next observer is told.
///
/// A transaction within another one joins it: it ends when the outer one ends, and has the outer one's policy. If its
/// `body` throws and the outer `body` catches the error, the inner writes stay.
///
/// - Parameters:
///   - policy: the fate of the transaction when a handler throws.
///   - name: the name by which a ``Trace`` calls it, most often that of the performed action.
/// - Throws: the error of `body`. Or the errors of handlers and of observed formulas, several together as
///   ``ObservableError/several(_:)``; with the policy `.finish` these undo nothing. Or
///   ``ObservableError/unsettled(_:rounds:)``, if a node runs, or tells its observers, more than 100 times. All other
///   errors undo the transaction: each value is put back, and the subscriptions that were made in it end.
@discardableResult
@inlinable  // so that a body which returns something, or nothing, is called as what it is
public func transaction<Result>(
  _ policy: FailurePolicy = .finish, name: String = "", _ body: () throws -> Result
) throws -> Result {
  try withPropagation { try $0.run(policy, name, body) }
}

/// A check that a transaction has to pass before it ends. It suits a transaction that an error undoes
/// (``FailurePolicy/undo``).
///
/// It is an object and not a closure: each action has one, and a closure would need memory.
package protocol TransactionCheck: AnyObject {
  /// Checks the transaction when the graph has settled and watchers were told, while all can still be put back.
  /// An error that it throws counts as a handler's. It must not write.
  ///
  /// A transaction in steps calls it before acts that cannot be undone, and once more at its end if these have
  /// written.
  func checkTransaction() throws
}

/// Sets the check of the present transaction. Call it in the transaction's body; a transaction has one check.
/// It does nothing outside every transaction.
package func setTransactionCheck(_ check: any TransactionCheck) {
  withPropagation { propagation in
    if propagation.phase == .idle { return }
    propagation.check = check
    propagation.hasExtras = true
  }
}
