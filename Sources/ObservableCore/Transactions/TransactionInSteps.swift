// SPDX-License-Identifier: MIT

/// Makes the writes of `body` one indivisible change, in steps of which each sees the settled values of the ones before
/// it.
///
/// `settle` ends a step: combiners run and observers are told, as at the end of a transaction. But the transaction goes on: if
/// a later step throws, every value is again as it was before the first, and an observer outside the graph was told of
/// nothing. A ``Command`` that is executed or cancelled in a step shows it at once, while its operation is started, or
/// stopped, when the last step has settled: none that is undone has run.
///
/// A write of a step is a change at once, as in a handler, and not when the step is over: one that is taken back in the same
/// step is told all the same.
///
/// - Precondition: no transaction is open.
/// - Throws: the error of `body`, or of a handler; then everything is undone (``FailurePolicy/undo``).
@discardableResult
package func transactionInSteps<Result>(
  name: String = "", _ body: (_ settle: () throws -> Void) throws -> Result
) throws -> Result {
  try withPropagation { try $0.runInSteps(name, body) }
}
