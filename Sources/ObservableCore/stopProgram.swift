// SPDX-License-Identifier: MIT
import Glibc

/// Ends the program over a mistake in it, with one line on the standard error, in a release build as well, and by a signal,
/// which a supervisor sees.
///
/// - Parameters:
///   - what: what happened.
///   - expected: what was expected instead.
///   - remedy: what to write, or to do.
///   - file: with `line`, the place of the mistake, where it is known; else that of the check.
package func stopProgram(
  _ what: String, expected: String, remedy: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  // Not preconditionFailure, which says nothing in a release build.
  fatalError("\(what); expected \(expected): \(remedy)", file: file, line: line)
}

/// Ends the program over something that no program that uses the library can bring about.
package func stopProgram(bug what: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  stopProgram(
    what, expected: "that this cannot be", remedy: "it is a mistake in Euripus, please report it with this line",
    file: file, line: line)
}

/// Ends the program over a mistake in what it declares, such as a surface, with one line on the standard error and status 1,
/// like a server that cannot start. A supervisor does not start it again.
///
/// In a session it ends the program as ``stopProgram(_:expected:remedy:file:line:)`` does: a declaration may be of a row that
/// nobody has seen yet, and a server that serves dies by a signal.
package func refuseToStart(
  _ what: String, expected: String, remedy: String, file: StaticString = #fileID, line: UInt = #line
) -> Never {
  if Graph.entered != nil { stopProgram(what, expected: expected, remedy: remedy, file: file, line: line) }
  let sentence = "\(file):\(line): error: \(what); expected \(expected): \(remedy)\n"
  // Nothing can be done where nobody reads it.
  _ = write(STDERR_FILENO, sentence, sentence.utf8.count)
  exit(1)
}
