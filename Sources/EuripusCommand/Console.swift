// SPDX-License-Identifier: MIT
import Glibc

/// The process's standard error, a line at a time.
enum Console {
  static func error(_ line: String) {
    var text = line + "\n"
    _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
