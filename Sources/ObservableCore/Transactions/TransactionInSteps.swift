// SPDX-License-Identifier: MIT

/// Makes the writes of `body` one indivisible change, in steps. Each step sees the settled values of the steps
/// before it.
///
/// `settle` ends a step: combiners run and observers are told, as at the end of a transaction. But the
/// transaction goes on. If a later step throws, every value is as it was before the first step, and no effect
/// outside the graph has happened. A ``Command`` that is executed or cancelled in a step shows that at once.
/// Its operation starts, or stops, when the last step has settled: no operation of an undone step has run.
///
/// A write of a step is a change at once, as in a handler, and not at the end of the step. A write that the
/// same step takes back is told all the same.
///
/// - Precondition: no transaction is open.
/// - Throws: the error of `body`, or of a handler; then all is undone (``FailurePolicy/undo``).
@discardableResult
package func transactionInSteps<Result>(
  name: String = "", _ body: (_ settle: () throws -> Void) throws -> Result
) throws -> Result {
  try withPropagation { try $0.runInSteps(name, body) }
}
