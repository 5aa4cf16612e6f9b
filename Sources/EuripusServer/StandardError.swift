// SPDX-License-Identifier: MIT
import Glibc

/// The process's standard error, a line at a time.
public enum StandardError {
  public static func write(_ line: String) {
    var text = line + "\n"
    // One write, so that lines of several threads do not mix. Nobody is left to be told if it fails.
    _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
