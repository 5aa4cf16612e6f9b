// SPDX-License-Identifier: MIT

/// The fate of a transaction when a handler that it runs throws.
public enum FailurePolicy: Sendable {
  /// The others run all the same, the changes stay, and the error reaches the caller at the end.
  case finish
  /// The first error stops the rest, and every value is again as it was before. Effects of handlers outside the graph
  /// stay.
  case undo
}

/// Makes all that `body` writes one indivisible change (D1).
///
/// Nobody is told before `body` is over; then combiners run, inputs first, and observers are told, each at most once.
/// A write that `body` takes back, if only by an equal value, is no change, and leaves the value that was there; one that
/// a handler makes is a change at once. While `body` runs, a combiner still has its value from before.
/// A transaction within another joins it: its policy is the outer one's, and so is its end. Values that it wrote before
/// it threw stay if the caller catches the error.
///
/// A ``Trace`` calls it by its `name`: most often that of the action which is performed.
///
/// - Throws: the error of `body`, with every value again as it was before, and subscriptions that were made in it
///   ended; or the errors of handlers (``FailurePolicy``); or ``ObservableError/unsettled(_:rounds:)``.
@discardableResult
@inlinable  // so that a body which returns something, or nothing, is called as what it is
public func transaction<Result>(
  _ policy: FailurePolicy = .finish, name: String = "", _ body: () throws -> Result
) throws -> Result {
  try withPropagation { try $0.run(policy, name, body) }
}

/// A check that a transaction has to pass before it ends, where it is undone if something throws.
///
/// An object and not a closure: each action has one, and memory would have to be asked for it.
package protocol TransactionCheck: AnyObject {
  /// Checks the transaction when everything has settled and watchers were told, but all can still be put back. An error
  /// that it throws counts as a handler's; it must not write.
  ///
  /// A transaction in steps calls it before a deed that cannot be undone, and once more at its end if that has written
  /// something.
  func checkTransaction() throws
}

/// Has the open transaction pass `check`. To be called in its body; one check a transaction. Without effect outside every
/// transaction.
package func setTransactionCheck(_ check: any TransactionCheck) {
  withPropagation { propagation in
    if propagation.phase == .idle { return }
    propagation.check = check
    propagation.hasExtras = true
  }
}
