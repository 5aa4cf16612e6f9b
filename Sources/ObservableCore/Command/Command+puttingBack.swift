// SPDX-License-Identifier: MIT

extension Command {
  /// Shows the state from before: the result of the last run, and that one was executing, though none is. Only within
  /// ``puttingBack(_:)``.
  package func putBack(isExecuting: Bool, result: CommandResult<Content>?, error: (any Error)?) {
    self.isExecuting.putBack(isExecuting)
    lastProgress.putBack(nil)
    lastResult.putBack(result)
    lastError.putBack(error)
  }

  /// Ends the run that is executing, or is shown to be, as if its operation had thrown `error`; inputs that wait end
  /// with it.
  ///
  /// Unlike ``CommandRun/fail(with:)`` it does not tell `onCancel`: a command that was put back has no run to cancel.
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
      // After the result (S1-4).
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
