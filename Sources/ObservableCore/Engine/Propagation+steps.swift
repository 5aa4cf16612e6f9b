// SPDX-License-Identifier: MIT

/// Makes what `body` does one indivisible change, in steps of which each sees what the ones before it have settled to.
///
/// `settle` ends a step: combiners run and observers are told, as at the end of a transaction. But the transaction goes on: if
/// a later step throws, every value is again as it was before the first, and who watches the graph from outside was told of
/// nothing. A ``Command`` that is executed or cancelled in a step shows it at once, while its operation is started, or
/// stopped, when the last step has settled: none that is undone has run.
///
/// What a step writes is a change at once, as in a handler, and not when the step is over: one that is taken back in the same
/// step is told all the same.
///
/// - Precondition: no transaction is open.
/// - Throws: what `body`, or a handler, threw; then everything is undone (``FailurePolicy/undo``).
@discardableResult
package func transactionInSteps<Result>(
  name: String = "", _ body: (_ settle: () throws -> Void) throws -> Result
) throws -> Result {
  try withPropagation { try $0.runInSteps(name, body) }
}

extension Propagation {
  /// Whether what cannot be undone has to wait for the steps to pass.
  var isInSteps: Bool { effects != nil }

  /// Has `effect` done when all steps have passed.
  func afterSteps(_ effect: @escaping () -> Void) { effects?.append(effect) }

  fileprivate func runInSteps<Result>(
    _ name: String, _ body: (_ settle: () throws -> Void) throws -> Result
  ) throws -> Result {
    precondition(phase == .idle, "a transaction in steps was begun within another, which it cannot settle")
    phase = .settling
    policy = .undo
    effects = []
    if !name.isEmpty { call(name) }
    let result: Result
    do {
      result = try body { try settleStep() }
      try settleStep()
      // Before what cannot be undone is done; and for what that writes again, at the end.
      passCheck()
      try settleStep()
      try runEffects()
    } catch {
      effects = nil
      undoBody()
      throw error
    }
    try conclude()
    return result
  }

  private func settleStep() throws {
    settleAgain()
    if !errors.isEmpty { throw errors.count == 1 ? errors[0] : ObservableError.several(errors) }
    // Each step may take as many turns as a transaction: there is no cycle through several of them.
    touched.forEach { $0.node?.pointee.flags.forgetTurns() }
    deliveries.forEach { $0?.pointee.flags.forgetTurns() }
    deliveries.removeAll()
    deliveryHead = 0
  }

  private func runEffects() throws {
    let due = effects ?? []
    effects = nil
    for effect in due {
      effect()
      try settleStep()
    }
  }
}
