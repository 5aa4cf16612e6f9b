// SPDX-License-Identifier: MIT

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

/// Ends the program because of a bug in Euripus, which no program that uses the library can cause.
package func stopProgram(bug what: String, file: StaticString = #fileID, line: UInt = #line) -> Never {
  stopProgram(
    what, expected: "that this cannot be", remedy: "it is a mistake in Euripus, please report it with this line",
    file: file, line: line)
}
