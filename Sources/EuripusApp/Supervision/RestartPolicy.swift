// SPDX-License-Identifier: MIT
import Glibc

/// Whether and when a server that has ended is started again: a value, without a clock.
package struct RestartPolicy: Sendable {
  /// The end of a process.
  package enum Ending: Sendable, Equatable {
    case exited(status: Int32)
    case killed(signal: Int32)

    /// The signal that killed it.
    var signal: Int32? { if case .killed(let signal) = self { signal } else { nil } }

    /// The status by which a shell says it.
    package var status: Int32 {
      switch self {
      case .exited(let status): status
      case .killed(let signal): 128 + signal
      }
    }
  }

  enum Decision: Sendable, Equatable {
    case restart(after: Duration)
    /// Starts none again: the supervisor ends with this status.
    case end(status: Int32)
  }

  /// The statuses by which a program says that its settings or its data are wrong (sysexits.h).
  static let lasting: [Int32] = [64, 65]

  /// A server that lived for so long has nothing to do with those before it.
  static let wellLived: Duration = .seconds(60)

  /// How long is waited before the second of several in a row; twice as long before each further one.
  private let firstWait: Duration
  private let longestWait: Duration
  /// How many have ended in a row that did not live long.
  private(set) var shortLives = 0
  private var hasServed = false

  package init(firstWait: Duration = .milliseconds(100), longestWait: Duration = .seconds(5)) {
    (self.firstWait, self.longestWait) = (firstWait, longestWait)
  }

  /// - Parameters:
  ///   - wasReady: whether clients were served.
  ///   - lived: since it was started.
  ///   - isStopping: whether it was told to end.
  ///   - isCauseKnown: whether it is known what it died of, which is not done again; not so if it was to refuse that already.
  mutating func decide(
    _ ending: Ending, wasReady: Bool, lived: Duration, isStopping: Bool, isCauseKnown: Bool = false
  ) -> Decision {
    if isStopping {
      // It was told so early that it did not take the signal yet; nobody lost anything by that.
      let isEarly = !wasReady && (ending == .killed(signal: SIGTERM) || ending == .killed(signal: SIGINT))
      return .end(status: isEarly ? 0 : ending.status)
    }
    hasServed = hasServed || wasReady
    switch ending {
    // A server that somebody else told to end has ended as it should.
    case .exited(status: 0): return .end(status: 0)
    // It has found what does not change by itself.
    case .exited(let status) where !wasReady && Self.lasting.contains(status): return .end(status: status)
    // A server that never served cannot, and the person who started it is to know. Later, what it lacks may come back.
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
