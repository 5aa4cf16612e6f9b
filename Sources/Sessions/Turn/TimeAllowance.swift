// SPDX-License-Identifier: MIT
import Locking
import Synchronization

/// The time that the actions of one client may take: a share of each second, kept as the one instant from which on there is
/// some.
///
/// An action's time is known when it is over, so it may take more than there is; the next action waits that much
/// longer. Therefore few that have proved slow are at work at once. O(1), without a timer.
final class TimeAllowance: Sendable {
  /// The time that may be taken at once by a client that took none for long.
  static let burst: Duration = .seconds(1)
  /// Nobody waits longer, whatever an action took.
  static let longestWait: Duration = .seconds(60)

  /// A shorter action is not counted: a client's sessions may make 2,000 in a second, which could not take more than there is.
  private static let counted: Duration = .microseconds(100)

  /// An action that has proved slow does not begin beside that many others of the client.
  static let mostBeside = 4

  private let atWork = Atomic<Int>(0)
  private let usedUntil: Locked<ContinuousClock.Instant?>

  init() { usedUntil = Locked(nil) }

  /// An action begins.
  ///
  /// - Returns: how many others are at work.
  func begin() -> Int { atWork.add(1, ordering: .relaxed).oldValue }

  /// It is over.
  func end() { atWork.subtract(1, ordering: .relaxed) }

  /// The time until there is some; `nil` if there is.
  func wait(_ now: ContinuousClock.Instant) -> Duration? {
    usedUntil.withLock { until in
      guard let until, until > now else { return nil }
      return until - now
    }
  }

  /// Draws the time that an action took.
  ///
  /// - Parameters:
  ///   - share: the part of each second that there is.
  ///   - began: when it began.
  func draw(_ time: Duration, of share: Duration, began: ContinuousClock.Instant) {
    if time < Self.counted { return }
    let seconds = Duration.seconds(1) / share
    usedUntil.withLock { until in
      let full = began - Self.burst * seconds
      let used = max(until ?? full, full) + time * seconds
      until = min(used, began + time + Self.longestWait)
    }
  }
}
