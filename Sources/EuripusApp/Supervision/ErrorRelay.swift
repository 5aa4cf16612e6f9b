// SPDX-License-Identifier: MIT
import Glibc

/// The relay of a server's standard error: it passes the text on, and remembers its end.
///
/// If the final reader does not read, the supervisor never waits. The server finds its pipe full, as if it
/// wrote to that reader directly. Then its log drops lines and counts them (LogOutput), and other code of the
/// program that writes there waits.
struct ErrorRelay {
  private static let most = 65_536

  private(set) var last = LastLines(limit: 65_536)
  private var pending: [UInt8] = []
  private var isAtLineStart = true
  /// Whether the Swift runtime has said, since the last question, that it makes a backtrace.
  private var hasSeenBacktrace = false

  /// Whether it has room for more text.
  var canTake: Bool { pending.count < Self.most }
  var hasPending: Bool { !pending.isEmpty }

  /// Forgets the text: a new server begins, whose last lines are its own.
  mutating func forget() {
    last = LastLines(limit: 65_536)
    hasSeenBacktrace = false
  }

  /// Whether the server has said since the last call that it crashes.
  mutating func saysThatItCrashes() -> Bool {
    defer { hasSeenBacktrace = false }
    return hasSeenBacktrace
  }

  /// Reads the text that there is, up to that many bytes.
  ///
  /// - Returns: whether more text may come.
  mutating func take(from descriptor: Int32, atMost limit: Int = ErrorRelay.most) -> Bool {
    var chunk = [UInt8](repeating: 0, count: 16_384)
    var taken = 0
    while taken < limit {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count < 0 { return errno == EAGAIN }
      if count == 0 { return false }
      taken += count
      last.append(chunk[..<count])
      pending += chunk[..<count]
      hasSeenBacktrace = hasSeenBacktrace || last.hasRecently("*** Signal ")
      isAtLineStart = chunk[count - 1] == UInt8(ascii: "\n")
    }
    return true
  }

  /// Writes as much as it can without waiting. Call it when the standard error is ready for text.
  mutating func pass() {
    // A pipe that is ready takes that many bytes.
    let count = write(STDERR_FILENO, pending, min(pending.count, 4_096))
    if count > 0 { return pending.removeFirst(count) }
    if count < 0, errno == EINTR || errno == EAGAIN { return }
    // No reader is left.
    pending = []
  }

  /// Ends an unfinished line, so that a line of the supervisor begins at its start.
  ///
  /// - Parameter patience: how long it waits for the reader of the standard error, in milliseconds.
  mutating func finishLine(within patience: Int32 = 1_000) {
    if !isAtLineStart { pending.append(UInt8(ascii: "\n")) }
    isAtLineStart = true
    while hasPending {
      var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
      guard poll(&output, 1, patience) > 0 else { return }
      pass()
    }
  }
}
