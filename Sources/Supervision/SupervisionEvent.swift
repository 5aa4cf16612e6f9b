// SPDX-License-Identifier: MIT

/// What a supervisor has for the log.
package enum SupervisionEvent {
  /// A server has ended that was not to.
  ///
  /// - Parameters:
  ///   - work: what it was at, if that is known: a method and a path.
  ///   - report: the path of the file.
  ///   - restartsIn: `nil` if it is not started again.
  case ended(
    RestartPolicy.Ending, process: Int32, lived: Duration, work: String?, report: String?, restartsIn: Duration?)
  /// Something could not be done.
  case failed(SupervisionError)
}
