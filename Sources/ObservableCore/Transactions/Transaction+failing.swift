// SPDX-License-Identifier: MIT

/// Makes the present transaction fail with this error, as if a handler had thrown it. It is for code that
/// cannot throw.
///
/// - Returns: whether there is a transaction.
package func failTransaction(with error: any Error) -> Bool {
  withPropagation { propagation in
    if propagation.phase == .idle { return false }
    propagation.note(error)
    return true
  }
}

/// Makes the running formula fail with this error, as if it had thrown it. It is for code that cannot throw.
///
/// - Returns: whether there is a formula.
func failRunningFormula(with error: any Error) -> Bool {
  withPropagation { propagation in
    if !propagation.mustNotWrite { return false }
    propagation.formulaFailure = error
    return true
  }
}
