// SPDX-License-Identifier: MIT
import ObservableCore

/// A mistake of a surface that is seen when the state is stored, and felt when it is put back.
package enum StoringFault {
  /// A closure that is told of each fault, where a test looks for them.
  @TaskLocal package static var observer: (@Sendable (String) -> Void)?

  /// Stops a debug build, so that it is not only seen after the next restart, where the session cannot be restored.
  static func report(_ what: String, expected: String, remedy: String) {
    if let observer { return observer("\(what); expected \(expected)") }
    #if DEBUG
      stopProgram(what, expected: expected, remedy: remedy)
    #endif
  }
}
