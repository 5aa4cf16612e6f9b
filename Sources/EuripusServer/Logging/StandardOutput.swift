// SPDX-License-Identifier: MIT
import Glibc

/// The process's standard output, a line at a time, not held back where it is no terminal.
public enum StandardOutput {
  public static func write(_ line: String) {
    var text = line + "\n"
    _ = text.withUTF8 { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
