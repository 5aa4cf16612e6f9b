// SPDX-License-Identifier: MIT
import Glibc

/// The process's standard error, written line by line.
public enum StandardError {
  /// Writes a line and its end. It is one call, if the system takes the line as a whole.
  public static func write(_ line: String) {
    var rest = Array((line + "\n").utf8)
    while !rest.isEmpty {
      let count = Glibc.write(STDERR_FILENO, rest, rest.count)
      if count < 0, errno == EINTR { continue }
      // There is no place left to report that the log cannot be written.
      guard count > 0 else { return }
      rest.removeFirst(count)
    }
  }
}
