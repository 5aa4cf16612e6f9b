// SPDX-License-Identifier: MIT
import Glibc

/// The policy that decides whether and when a server that has ended is started again. It is a value, without a
/// clock.
package struct RestartPolicy: Sendable {
  /// The end of a process.
  package enum Ending: Sendable, Equatable {
    case exited(status: Int32)
    case killed(signal: Int32)

    /// The signal that killed it; `nil` if it exited.
    var signal: Int32? { if case .killed(let signal) = self { signal } else { nil } }

    /// The status by which a shell tells of it.
    package var status: Int32 {
      switch self {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    }
  }

  enum Decision: Sendable, Equatable {
    case restart(after: Duration)
    /// Starts no further server: the supervisor ends with this status.
    case end(status: Int32)

    /// The time from the end of a server to the next start; `nil` if there is none.
    var wait: Duration? { if case .restart(let wait) = self { wait } else { nil } }
  }

  /// The statuses by which a program reports wrong settings or data (sysexits.h).
  static let lasting: [Int32] = [64, 65]

  /// The time after which a server has lived well: its end has nothing to do with the ends before it.
  static let wellLived: Duration = .seconds(60)

  /// The wait before the second of several short-lived servers in a row. It doubles before each further one.
  private let firstWait: Duration
  private let longestWait: Duration
  /// The number of servers in a row that did not live well.
  private(set) var shortLives = 0
  private var hasServed = false

  package init(firstWait: Duration = .milliseconds(100), longestWait: Duration = .seconds(5)) {
    (self.firstWait, self.longestWait) = (firstWait, longestWait)
  }

  /// - Parameters:
  ///   - wasReady: whether it served clients.
  ///   - lived: the time since its start.
  ///   - isStopping: whether it was told to end, by the supervisor or by another process.
  ///   - isCauseKnown: whether the work that killed it is known, and refused from now on. It is false if the
  ///     server should have refused that work already.
  mutating func decide(
    _ ending: Ending, wasReady: Bool, lived: Duration, isStopping: Bool, isCauseKnown: Bool = false
  ) -> Decision {
    if isStopping {
      // It was told so early that it did not handle the signal yet. No client lost anything by that.
      let isEarly = !wasReady && (ending == .killed(signal: SIGTERM) || ending == .killed(signal: SIGINT))
      return .end(status: isEarly ? 0 : ending.status)
    }
    hasServed = hasServed || wasReady
    switch ending {
    // It has found a fault that does not go away by itself.
    case .exited(let status) where !wasReady && Self.lasting.contains(status): return .end(status: status)
    // If no server has ever served, none can, and the person who started it needs to know. Later, things that
    // it lacks may come back.
    case .exited, .killed: if !hasServed { return .end(status: ending.status) }
    }
    if isCauseKnown { return .restart(after: .zero) }
    shortLives = lived >= Self.wellLived ? 1 : shortLives + 1
    return .restart(after: wait)
  }

  private var wait: Duration {
    if shortLives == 1 { return .zero }
    var wait = firstWait
    for _ in 2..<max(2, shortLives) where wait < longestWait { wait = min(wait * 2, longestWait) }
    return min(wait, longestWait)
  }
}
