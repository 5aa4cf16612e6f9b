// SPDX-License-Identifier: MIT
import Locking
import ObservableCore

/// A mistake of a surface that shows when the state is stored, and does harm when the state is put back.
package enum StoringFault {
  /// A closure that is told of each fault; a test sets it to look for them.
  @TaskLocal package static var observer: (@Sendable (String) -> Void)?
  /// The faults of a release build. One for the process: a fault is the program's, not a session's.
  package static let log = FaultLog()

  /// Stops a debug build, and logs the fault in a release build. Otherwise the fault would show only after the
  /// next restart, when the session cannot be restored.
  static func report(_ what: String, expected: String, remedy: String) {
    if let observer { return observer("\(what); expected \(expected)") }
    #if DEBUG
      stopProgram(what, expected: expected, remedy: remedy)
    #else
      log.write("\(what); expected \(expected). To fix it: \(remedy)")
    #endif
  }
}

/// A log in which each text is written once.
package final class FaultLog: Sendable {
  /// The most texts that are written. A text may name a row, so there may be many, and a few are enough for the
  /// one who mends the surface.
  private static let most = 100

  private struct State {
    var output: @Sendable (String) -> Void = { _ in }
    var written: Set<String> = []
  }

  private let state = Locked(State())

  package init() {}

  /// Sets the closure that writes from now on.
  package func set(_ output: @escaping @Sendable (String) -> Void) { state.withLock { $0.output = output } }

  package func write(_ text: String) {
    let output = state.withLock { state in
      state.written.count < Self.most && state.written.insert(text).inserted ? state.output : nil
    }
    output?(text)
  }
}
