// SPDX-License-Identifier: MIT
import ObservableCore

extension Hosted {
  /// Starts the timers of the surface, or continues the stored ones.
  ///
  /// - Parameter stored: the stored timers. Those that the view model's `init` may have set again are ignored
  ///   then.
  func beginTimers(_ stored: Timers?) throws {
    guard let context, context.hasTimers || stored?.isEmpty == false else { return }
    let now = context.clock().instant
    try graph.enter { try context.timers.set(surface.timers.begun(stored ?? context.timers.value, now: now)) }
  }

  func runTimer(_ timer: SessionTimer) throws {
    guard let context else { return }
    hadBegun = state.hasBegun
    whole.isExpected = true
    variables = []
    defer { (whole.isExpected, variables) = (false, []) }
    let now = context.clock().instant
    let done = { [surface] in try context.set(surface.timers.done(timer, context.timers.value, now: now)) }
    do {
      try graph.enter {
        try transaction(.undo, name: Trace.isAnyLiving ? "\(timer)" : "") {
          setTransactionCheck(self)
          holdVariables()
          // This comes first: the code may set the same timer again.
          try done()
          try surface.timers.act(timer, model)
        }
      }
    } catch {
      putVariablesBack()
      state.forgetMeasured()
      // Its code was undone, and is not tried again.
      try graph.enter { try transaction(.undo) { try done() } }
      if let tooLong = error as? StateTooLong { throw tooLong.error }
      throw ViewModelFailure(cause: error)
    }
  }
}
