// SPDX-License-Identifier: MIT
import Glibc

/// A line on the terminal that shows the progress of long work. If the standard error is no terminal, nothing
/// is written.
struct Progress {
  private let isWanted = isatty(STDERR_FILENO) == 1

  func show(_ text: String) { write("\r\u{1B}[K\(text)") }

  func end() { write("\r\u{1B}[K") }

  private func write(_ text: String) {
    guard isWanted else { return }
    var text = text
    _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
