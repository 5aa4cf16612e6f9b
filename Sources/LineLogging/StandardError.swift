// SPDX-License-Identifier: MIT
import Glibc

/// The process's standard error, a line at a time.
public enum StandardError {
  /// Writes the line and its end: with one call, where the system takes it whole.
  public static func write(_ line: String) {
    var text = line + "\n"
    text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while !rest.isEmpty {
        let count = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        // Nobody is left to be told that the log cannot be written.
        guard count > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
    }
  }
}
