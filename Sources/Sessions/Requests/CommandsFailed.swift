// SPDX-License-Identifier: MIT
import ObservableCore
import ViewModels

/// The end of a command that was no success, as a client sees it.
package struct CommandFault: Sendable, Equatable {
  /// The type of the command's error, or a word of PROTOCOL §3 for another end.
  package let type: String
  package let detail: String

  static let cancelled = CommandFault(type: "cancelled", detail: "it was cancelled")
  static let atWork = CommandFault(
    type: "at-work", detail: "it is still at work; expected a longer wait: Prefer: wait=N")

  private init(type: String, detail: String) { (self.type, self.detail) = (type, detail) }

  /// - Returns: `nil` for a run that has succeeded.
  init?(of run: CommandRun, _ error: (any Error)?) {
    switch error {
    case let error as any PresentableError: self.init(type: error.type, detail: error.detail)
    case nil where run.isStopped, is CancellationError: self = .cancelled
    case nil: return nil
    case _?:
      self.init(type: "internal", detail: "the view model failed; the server's log has the reason")
    }
  }
}

/// The error of a request that is to be answered by one if its commands have not all succeeded. Its changes were made.
package struct CommandsFailed: Error, CustomStringConvertible {
  package let faults: [CommandFault]
  /// The version with the changes, and with all that the commands have written.
  package let version: Version

  /// - Returns: `nil` if all have succeeded.
  init?(_ faults: [CommandFault], at version: Version) {
    if faults.isEmpty { return nil }
    (self.faults, self.version) = (faults, version)
  }

  package var description: String {
    let words = faults.map { "\($0.type): \($0.detail)" }.joined(separator: "; ")
    return
      "the changes were made, but \(faults.count == 1 ? "a command" : "\(faults.count) commands") of them not: \(words)"
  }
}
