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
  ///
  /// - Parameter place: the mistake's place in the program. A release build logs one fault of it.
  static func report(_ what: String, at place: String, expected: String, remedy: String) {
    if let observer { return observer("\(what); expected \(expected)") }
    #if DEBUG
      stopProgram(what, expected: expected, remedy: remedy)
    #else
      log.write("\(what); expected \(expected). To fix it: \(remedy)", of: place)
    #endif
  }
}

/// A log in which each mistake is written once.
package final class FaultLog: Sendable {
  private struct State {
    var output: @Sendable (String) -> Void = { _ in }
    /// The places of the mistakes that were written.
    var written: Set<String> = []
  }

  private let state = Locked(State())

  package init() {}

  /// Sets the closure that writes from now on.
  package func set(_ output: @escaping @Sendable (String) -> Void) { state.withLock { $0.output = output } }

  package func write(_ text: String, of place: String) {
    let output = state.withLock { $0.written.insert(place).inserted ? $0.output : nil }
    output?(text)
  }
}
