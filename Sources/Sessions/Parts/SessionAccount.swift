// SPDX-License-Identifier: MIT

/// The use that one session has made of its limits.
final class SessionAccount {
  /// The number of changes that requests may still make.
  private var changes: TokenBucket
  /// The bytes that the session was last counted with.
  private(set) var bytes: Int
  /// The reason why the state was not allowed to grow at the last change; `nil` if it was, for all that others have.
  var shortage: SessionError?
  /// Whether the state is longer than it may be. That was reported.
  private var hasTooLongState = false

  /// The difference in bytes below which nothing is counted, so that most actions count nothing.
  private static let uncounted = 1_024

  init(bytes: Int, now: ContinuousClock.Instant) { (self.bytes, changes) = (bytes, TokenBucket(now: now)) }

  /// Counts changes. More of them than the burst count as the burst, since more can never come at once.
  ///
  /// - Returns: the time after which there is room for them; `nil` if there is.
  func take(_ count: Int, of rate: Rate, now: ContinuousClock.Instant) -> Duration? {
    changes.take(min(count, rate.burst), of: rate, now: now)
  }

  /// Notes the bytes that the session takes now.
  ///
  /// - Parameter isForced: whether a small difference matters too.
  /// - Returns: whether they are to be counted.
  func note(_ bytes: Int, isForced: Bool) -> Bool {
    guard isForced || abs(bytes - self.bytes) >= Self.uncounted else { return false }
    self.bytes = bytes
    return true
  }

  /// Notes whether the state is longer than it may be.
  ///
  /// - Returns: whether it has just become so.
  func note(isTooLong: Bool) -> Bool {
    defer { hasTooLongState = isTooLong }
    return isTooLong && !hasTooLongState
  }
}
