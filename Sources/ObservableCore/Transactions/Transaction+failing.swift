// SPDX-License-Identifier: MIT

/// Has the open transaction fail with this error, as if a handler had thrown it: for code that cannot throw.
///
/// - Returns: whether there is one.
package func failTransaction(with error: any Error) -> Bool {
  withPropagation { propagation in
    if propagation.phase == .idle { return false }
    propagation.note(error)
    return true
  }
}

/// Has the formula that runs fail with this error, as if it had thrown it: for code that cannot throw.
///
/// - Returns: whether there is one.
func failRunningFormula(with error: any Error) -> Bool {
  withPropagation { propagation in
    if !propagation.mustNotWrite { return false }
    propagation.formulaFailure = error
    return true
  }
}
