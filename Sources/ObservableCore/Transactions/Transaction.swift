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
/// No observer is told before `body` is over. Then combiners run, inputs first, and observers are told, each at
/// most once. If `body` restores a value, even by an equal one, that is no change, and the old value stays. A
/// write of a handler is a change at once. While `body` runs, a combiner still has its value from before. A
/// transaction within another one joins it: the policy is the outer one's, and so is the end. If an inner one
/// throws and its caller catches the error, its writes stay.
///
/// A ``Trace`` calls it by its `name`, which is most often that of the performed action.
///
/// - Throws: the error of `body`; then every value is put back, and subscriptions that were made in it end. Or
///   the errors of handlers (``FailurePolicy``). Or ``ObservableError/unsettled(_:rounds:)``.
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
