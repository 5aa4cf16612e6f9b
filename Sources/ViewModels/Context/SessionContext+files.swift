// SPDX-License-Identifier: MIT
import ObservableCore

/// The deeds of transactions with files.
extension SessionContext {
  func add(_ deed: FileDeed) {
    begunDeeds.append(deed)
    // Nobody observes it.
    try? deeds.set(deeds.value + [deed])
    didHandleFiles?()
  }

  /// Takes the deeds of the transactions before it: those that passed, and those that were undone.
  package func takeDeeds() -> (passed: [FileDeed], undone: [FileDeed]) {
    let passed = deeds.value
    let undone = begunDeeds.filter { deed in !passed.contains { $0 === deed } }
    begunDeeds = []
    if !passed.isEmpty { try? deeds.set([]) }
    return (passed, undone)
  }

  /// Notes that a file was dropped which nobody has taken in time.
  package func expire(_ file: SpooledFile) { for heard in didExpire { heard(file) } }
}
