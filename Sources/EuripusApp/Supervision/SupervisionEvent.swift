// SPDX-License-Identifier: MIT

/// An event for the supervisor's log.
package enum SupervisionEvent {
  /// A server has ended that should not have.
  ///
  /// - Parameters:
  ///   - work: the work that it died of, a verb and a path; `nil` if that is not known.
  ///   - report: the path of the report's file.
  ///   - restartsIn: the time from its end to the start of the next server; `nil` if there is none.
  case ended(
    RestartPolicy.Ending, process: Int32, lived: Duration, work: String?, report: String?, restartsIn: Duration?)
  /// So many servers died over a work, a verb and a path, that its action is refused to all clients for that
  /// time.
  case refused(work: String, everywhereFor: Duration)
  /// The program that was found at its path has replaced the server.
  case replaced(process: Int32)
  /// The program that was found at its path could not replace the server, which goes on.
  case notReplaced(RestartPolicy.Ending)
  /// A server was told to end for its successor, has not ended in that time, and is killed.
  case overdue(process: Int32, after: Duration)
  /// The supervisor failed to do something.
  case failed(SupervisionError)
}
