// SPDX-License-Identifier: MIT
import ObservableCore

/// A mistake of a surface that shows when the state is stored, and does harm when the state is put back.
package enum StoringFault {
  /// A closure that is told of each fault; a test sets it to look for them.
  @TaskLocal package static var observer: (@Sendable (String) -> Void)?

  /// Stops a debug build. Otherwise the fault would show only after the next restart, when the session cannot
  /// be restored.
  static func report(_ what: String, expected: String, remedy: String) {
    if let observer { return observer("\(what); expected \(expected)") }
    #if DEBUG
      stopProgram(what, expected: expected, remedy: remedy)
    #endif
  }
}
