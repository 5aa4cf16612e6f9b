// SPDX-License-Identifier: MIT
import Euripus

/// The name by which the program was started, for its help, its messages and its directories.
enum ProgramName {
  static let current: String = CommandLine.arguments.first?.split(separator: "/").last.map(String.init) ?? "euripus"
}

extension StandardError {
  /// Writes a line that says which program says it.
  static func complain(_ text: String) { write("\(ProgramName.current): \(text)") }
}
