// SPDX-License-Identifier: MIT

/// A rate at which something may be done: steadily, and so many at once.
public struct Rate: Sendable, Equatable {
  /// The number that may be done at once when none were for long.
  public let burst: Int
  /// The time after which one more may be done.
  let interval: Duration
  /// The number that may be done in each `period`.
  public let count: Int
  public let period: Duration

  /// - Parameters:
  ///   - count: how many in each `period`, from 1.
  ///   - burst: from 1.
  public init(_ count: Int, per period: Duration, burst: Int) {
    self.burst = max(1, burst)
    self.count = max(1, count)
    self.period = period
    interval = period / self.count
  }

  /// The time from no token left to all.
  package var refill: Duration { interval * burst }
}

extension Rate: CustomStringConvertible {
  public var description: String { "\(count) in \(period), \(burst) at once" }
}

/// A bucket that fills with tokens steadily, kept as the one instant at which it is full.
///
/// Taking tokens makes that instant later; a bucket that would be full only after more than its whole refill lacks the tokens. O(1),
/// without a timer; one that is full is no different from a new one.
public struct TokenBucket: Sendable {
  private(set) var fullAt: ContinuousClock.Instant

  public init(now: ContinuousClock.Instant) { fullAt = now }

  /// Takes that many tokens, if there are as many.
  ///
  /// - Returns: `nil` if they were taken; or else the time until there are as many, nothing being taken.
  public mutating func take(_ count: Int = 1, of rate: Rate, now: ContinuousClock.Instant) -> Duration? {
    let full = max(fullAt, now) + rate.interval * count
    let lack = full - now - rate.refill
    guard lack <= .zero else { return lack }
    fullAt = full
    return nil
  }
}

extension Duration {
  /// The wait in whole seconds, rounded up, from 1: for `Retry-After`.
  public var secondsToWait: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(seconds) + (attoseconds > 0 ? 1 : 0))
  }
}
