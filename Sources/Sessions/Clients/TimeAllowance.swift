// SPDX-License-Identifier: MIT
import Locking
import Synchronization

/// The time that the actions of one client may take, or other code of its sessions: a share of each second. It is
/// kept as the instant from which on there is time again.
///
/// The time of an action is known only when the action is over, so it may take more than there is. The next
/// action then waits longer. For that reason, only few actions that have proved slow are at work at once. O(1),
/// without a timer.
final class TimeAllowance: Sendable {
  /// The time that a client may take at once if it has taken none for long.
  static let burst: Duration = .seconds(1)
  /// The longest wait, however long an action took.
  static let longestWait: Duration = .seconds(60)

  /// The time below which an action is not counted. A client's sessions may make 2,000 of these in a second,
  /// which cannot take more than there is.
  private static let counted: Duration = .microseconds(100)

  /// The number of other actions of the client beside which an action that has proved slow does not begin.
  static let mostBeside = 4

  private let atWork = Atomic<Int>(0)
  private let usedUntil: Locked<ContinuousClock.Instant?>

  init() { usedUntil = Locked(nil) }

  /// Notes that an action begins.
  ///
  /// - Returns: the number of other actions that are at work.
  func begin() -> Int { atWork.add(1, ordering: .relaxed).oldValue }

  /// Notes that an action is over.
  func end() { atWork.subtract(1, ordering: .relaxed) }

  /// The time until actions may take time again; `nil` if they may now.
  func wait(_ now: ContinuousClock.Instant) -> Duration? { Self.wait(usedUntil.withLock { $0 }, now) }

  /// The same for code whose time is not drawn yet, and which may go on.
  ///
  /// - Parameters:
  ///   - share: as for ``draw(_:of:began:)``.
  ///   - began: the instant at which the code began.
  func wait(_ now: ContinuousClock.Instant, of share: Duration, began: ContinuousClock.Instant) -> Duration? {
    Self.wait(Self.drawn(now - began, of: share, began: began, from: usedUntil.withLock { $0 }), now)
  }

  private static func wait(_ until: ContinuousClock.Instant?, _ now: ContinuousClock.Instant) -> Duration? {
    guard let until, until > now else { return nil }
    return until - now
  }

  private static func drawn(
    _ time: Duration, of share: Duration, began: ContinuousClock.Instant, from until: ContinuousClock.Instant?
  ) -> ContinuousClock.Instant {
    let seconds = Duration.seconds(1) / share
    let full = began - Self.burst * seconds
    let used = max(until ?? full, full) + time * seconds
    return min(used, began + time + Self.longestWait)
  }

  /// Draws the time that an action took.
  ///
  /// - Parameters:
  ///   - share: the time of each second that actions may take.
  ///   - began: the instant at which the action began.
  func draw(_ time: Duration, of share: Duration, began: ContinuousClock.Instant) {
    if time < Self.counted { return }
    usedUntil.withLock { $0 = Self.drawn(time, of: share, began: began, from: $0) }
  }
}
