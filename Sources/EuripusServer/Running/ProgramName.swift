// SPDX-License-Identifier: MIT
/// The name by which the program was started. Its help, its messages and its directories have that name.
package enum ProgramName {
  package static let current: String =
    CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "euripus"
}

extension StandardError {
  /// Writes a line that begins with the program's name.
  package static func complain(_ text: String) { write("\(ProgramName.current): \(text)") }
}
