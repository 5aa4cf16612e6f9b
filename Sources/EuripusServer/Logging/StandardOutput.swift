// SPDX-License-Identifier: MIT
import Glibc

/// The process's standard output, written line by line. Lines are not held back if it is not a terminal.
public enum StandardOutput {
  public static func write(_ line: String) {
    var text = line + "\n"
    _ = text.withUTF8 { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
