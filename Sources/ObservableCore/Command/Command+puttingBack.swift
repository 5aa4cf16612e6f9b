// SPDX-License-Identifier: MIT

extension Command {
  /// Shows a stored state: the result of the last run, and whether a run was executing, though none is now.
  /// Call it only within ``puttingBack(_:)``.
  package func putBack(isExecuting: Bool, result: CommandResult<Content>?, error: (any Error)?) {
    self.isExecuting.putBack(isExecuting)
    lastProgress.putBack(nil)
    lastResult.putBack(result)
    lastError.putBack(error)
  }

  /// Ends the run that is executing, or is shown as executing, as if its operation had thrown `error`. Inputs
  /// that wait end with it.
  ///
  /// Unlike ``CommandRun/fail(with:)`` it does not call `onCancel`: a command that was put back has no run to
  /// cancel.
  package func interrupt(with error: any Error) {
    guard isExecuting.value else { return }
    let ended = [running].compactMap(\.self) + queue
    running = nil
    queue = []
    isFinishing = true
    settle {
      try lastProgress.set(nil)
      try lastResult.set(.error(error))
      try lastError.set(error)
      // It comes after the result (S1-4).
      try isExecuting.set(false)
    }
    isFinishing = false
    for pending in ended {
      pending.run.stop()
      pending.end(.error(error))
    }
    advance()
  }
}
