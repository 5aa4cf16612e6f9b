// SPDX-License-Identifier: MIT
import Glibc

/// The process's standard error, a line at a time.
public enum StandardError {
  /// Writes the line and its end: with one call, where the system takes it whole.
  public static func write(_ line: String) {
    var rest = Array((line + "\n").utf8)
    while !rest.isEmpty {
      let count = Glibc.write(STDERR_FILENO, rest, rest.count)
      if count < 0, errno == EINTR { continue }
      // Nobody is left to be told that the log cannot be written.
      guard count > 0 else { return }
      rest.removeFirst(count)
    }
  }
}
