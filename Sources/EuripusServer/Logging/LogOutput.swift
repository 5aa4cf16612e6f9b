// SPDX-License-Identifier: MIT
import Glibc
import Locking

/// The output of a log. Nobody waits on it: lines for which there is no room are lost and counted.
///
/// A pipe whose reader has stopped takes 64 KiB and no more. Waiting for the reader would stop the server
/// together with its log.
final class LogOutput: Sendable {
  static let standardError = LogOutput(STDERR_FILENO)

  /// The bytes that a pipe takes at once if it takes any (pipe(7), PIPE_BUF).
  private static let pieceBytes = 4_096

  private struct State {
    /// The number of lines that were lost since a line was last written.
    var lost = 0
    var allLost = 0
    /// Whether the last line was cut off, so that its end is missing.
    var isCut = false
  }

  private let descriptor: Int32
  private let state = Locked(State())

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// The number of lines that were lost so far.
  var lost: Int { state.withLock { $0.allLost } }

  /// Writes a line and its end, if there is room.
  ///
  /// - Parameter notice: makes the line that says how many lines before it were lost.
  func write(_ line: String, notice: (_ lost: Int) -> String) {
    // One thread at a time: the line of another one would take the room that was found.
    state.withLock { state in
      var text = state.isCut ? "\n" : ""
      if state.lost > 0 { text += notice(state.lost) + "\n" }
      text += line + "\n"
      let bytes = Array(text.utf8)
      var written = 0
      while written < bytes.count, canWrite {
        let piece = Array(bytes[written..<min(bytes.count, written + Self.pieceBytes)])
        let count = Glibc.write(descriptor, piece, piece.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        written += count
      }
      if written == bytes.count { return (state.lost, state.isCut) = (0, false) }
      if written > 0 { state.isCut = true }
      state.lost += 1
      state.allLost += 1
    }
  }

  private var canWrite: Bool {
    var output = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLOUT) != 0
  }
}

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

/// The process's standard output, written line by line. Lines are not held back if it is not a terminal.
public enum StandardOutput {
  public static func write(_ line: String) {
    var text = line + "\n"
    _ = text.withUTF8 { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
  }
}
