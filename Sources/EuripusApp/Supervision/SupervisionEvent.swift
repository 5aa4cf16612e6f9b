// SPDX-License-Identifier: MIT

/// An event that the log is to have.
package enum SupervisionEvent {
  /// A server has ended that was not to.
  ///
  /// - Parameters:
  ///   - work: its work, if that is known: a verb and a path.
  ///   - report: the path of the file.
  ///   - restartsIn: `nil` if it is not started again.
  case ended(
    RestartPolicy.Ending, process: Int32, lived: Duration, work: String?, report: String?, restartsIn: Duration?)
  /// A work, a verb and a path, was deadly with several clients: its action is refused to everybody for so long.
  case refused(work: String, everywhereFor: Duration)
  /// The program that was found at its path has taken the place of the server that there was.
  case replaced(process: Int32)
  /// The program that was found at its path could not take the place of the server that there is, which goes on.
  case notReplaced(RestartPolicy.Ending)
  /// A server that was told to end for its successor has not done so for so long, and is killed.
  case overdue(process: Int32, after: Duration)
  /// Something could not be done.
  case failed(SupervisionError)
}
