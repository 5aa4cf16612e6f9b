// SPDX-License-Identifier: MIT
import Glibc

/// Ends the program because of a mistake in it, with one line on the standard error, in a release build too. It
/// ends by a signal, which a supervisor sees.
///
/// - Parameters:
///   - what: the event.
///   - expected: the expectation.
///   - remedy: the advice: what to write, or to do.
///   - file: with `line`, the place of the mistake, where it is known; otherwise the place of the check.
package func stopProgram(
  _ what: String, expected: String, remedy: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  // preconditionFailure would say nothing in a release build.
  fatalError("\(what); expected \(expected): \(remedy)", file: file, line: line)
}

/// Hands an error that reaches no caller to the host of a graph, by default of the entered one. In a session it is
/// logged, and the program goes on, since it serves other sessions too.
///
/// - Parameter place: the code that threw, for the log.
/// - Returns: whether there is a host. Elsewhere such an error is a mistake, for which the caller ends the program.
package func hostTakes(
  _ error: any Error, of place: @autoclosure () -> String, in graph: Graph? = Graph.entered
) -> Bool {
  graph?.take(error, of: place()) ?? false
}

/// Ends the program because of a bug in Euripus, which no program that uses the library can cause.
package func stopProgram(bug what: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  stopProgram(
    what, expected: "that this cannot be", remedy: "it is a mistake in Euripus, please report it with this line",
    file: file, line: line)
}

/// Ends the program because of a mistake in its declarations, such as a surface. It writes one line on the
/// standard error and ends with status 1, like a server that cannot start. A supervisor does not start it
/// again.
///
/// In a session it ends the program as ``stopProgram(_:expected:remedy:file:line:)`` does: a server that serves
/// dies by a signal. It can happen there, as a declaration may be that of a row that is used for the first time.
package func refuseToStart(
  _ what: String, expected: String, remedy: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  if Graph.entered != nil { stopProgram(what, expected: expected, remedy: remedy, file: file, line: line) }
  let sentence = "\(file):\(line): error: \(what); expected \(expected): \(remedy)\n"
  // A failure to write is ignored: there is no other reader.
  _ = write(STDERR_FILENO, sentence, sentence.utf8.count)
  exit(1)
}
