// SPDX-License-Identifier: MIT
internal import Glibc

/// Writes one line to standard error: progress and errors, apart from the table.
package func printError(_ line: String) {
  var line = line + "\n"
  _ = line.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}
