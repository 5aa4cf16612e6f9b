// SPDX-License-Identifier: MIT
import Glibc

/// Ends the program because of a mistake in its declarations, such as a surface. It writes one line on the
/// standard error and ends with status 1, like a server that cannot start. A supervisor does not start it
/// again.
///
/// In a session it ends the program as ``stopProgram(_:expected:remedy:file:line:)`` does: a server that serves
/// dies by a signal. It can happen there, as a declaration may be that of a row that is used for the first time.
///
/// - Parameters:
///   - what: the event.
///   - expected: the expectation.
///   - remedy: the advice: what to write, or to do.
///   - file: with `line`, the place of the declaration in the app; `nil` where it is not known. The place of the check
///     would tell the app's author nothing.
///   - check: with `checkLine`, the place of the check, for a report on the death.
package func refuseToStart(
  _ what: String, expected: String, remedy: String, file: StaticString? = nil, line: UInt = 0,
  check: StaticString = #fileID, checkLine: UInt = #line
) -> Never {
  if Graph.entered != nil {
    let line = file == nil ? checkLine : line
    stopProgram(what, expected: expected, remedy: remedy, file: file ?? check, line: line)
  }
  let place = file.map { "\($0):\(line): " } ?? ""
  let sentence = "\(place)error: \(what); expected \(expected): \(remedy)\n"
  // A failure to write is ignored: there is no other reader.
  _ = write(STDERR_FILENO, sentence, sentence.utf8.count)
  exit(1)
}
