// SPDX-License-Identifier: MIT
import Glibc

/// The process's output, written through at once: who starts the server waits for its line.
enum Console {
  static func print(_ line: String) { write(line, to: STDOUT_FILENO) }
  static func error(_ line: String) { write(line, to: STDERR_FILENO) }

  private static func write(_ line: String, to descriptor: Int32) {
    var text = line + "\n"
    _ = text.withUTF8 { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }
}
