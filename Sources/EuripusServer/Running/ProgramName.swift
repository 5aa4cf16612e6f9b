// SPDX-License-Identifier: MIT
/// The name by which the program was started, for its help, its messages and its directories.
package enum ProgramName {
  package static let current: String =
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "euripus"
}

extension StandardError {
  /// Writes a line that says which program says it.
  package static func complain(_ text: String) { write("\(ProgramName.current): \(text)") }
}
