// SPDX-License-Identifier: MIT
import ObservableCore

/// A mistake of a surface that is seen when the state is stored, and felt when it is put back.
package enum StoringFault {
  /// Told of each, where a test looks for them.
  @TaskLocal package static var observer: (@Sendable (String) -> Void)?

  /// Stops a debug build, so that it is not only seen after the next restart, where the session cannot be restored.
  static func report(_ text: String) {
    if let observer { return observer(text) }
    #if DEBUG
      stopProgram("a state was stored that cannot be put back", expected: "one that can", remedy: text)
    #endif
  }
}
