// SPDX-License-Identifier: MIT

extension Propagation {
  /// Whether acts that cannot be undone have to wait until the steps have passed.
  var isInSteps: Bool { effects != nil }

  /// Runs `effect` when all steps have passed.
  func afterSteps(_ effect: @escaping () -> Void) { effects?.append(effect) }

  func runInSteps<Result>(
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
      // The check runs before acts that cannot be undone, and once more at the end for the values that these
      // write.
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
    // Each step may have as many turns as a transaction: no cycle goes through several steps.
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
