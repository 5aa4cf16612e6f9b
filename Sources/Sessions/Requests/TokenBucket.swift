// SPDX-License-Identifier: MIT

/// A rate limit, as a token bucket: `burst` tokens when it is full, and `count` new ones in each `period`, evenly.
public struct Rate: Sendable, Equatable {
  /// The number that may be done at once after a long pause.
  public let burst: Int
  /// The time after which one more may be done.
  let interval: Duration
  /// The number that may be done in each `period`.
  public let count: Int
  public let period: Duration

  /// - Parameters:
  ///   - count: the tokens added in each `period`. A number below 1 counts as 1.
  ///   - burst: the most tokens that can be saved up, and be used at once. A number below 1 counts as 1.
  public init(_ count: Int, per period: Duration, burst: Int) {
    self.burst = max(1, burst)
    self.count = max(1, count)
    self.period = period
    interval = period / self.count
  }

  /// The time in which an empty bucket fills.
  package var refill: Duration { interval * burst }
}

extension Rate: CustomStringConvertible {
  public var description: String { "\(count) in \(period), \(burst) at once" }
}

/// A bucket that fills with tokens steadily. It is kept as the instant at which it is full.
///
/// Taking tokens makes that instant later. If it would be further away than a whole refill, there are too few
/// tokens. A full bucket does not differ from a new one. O(1), without a timer.
package struct TokenBucket: Sendable {
  private(set) var fullAt: ContinuousClock.Instant

  package init(now: ContinuousClock.Instant) { fullAt = now }

  /// Takes that many tokens, if there are as many.
  ///
  /// - Returns: `nil` if they were taken. Otherwise none was taken, and this is the time until there are as
  ///   many.
  package mutating func take(_ count: Int = 1, of rate: Rate, now: ContinuousClock.Instant) -> Duration? {
    let full = max(fullAt, now) + rate.interval * count
    let lack = full - now - rate.refill
    guard lack <= .zero else { return lack }
    fullAt = full
    return nil
  }
}

extension Duration {
  /// The wait in whole seconds, rounded up and at least 1, for `Retry-After`.
  package var secondsToWait: Int {
    let (seconds, attoseconds) = components
    return max(1, Int(seconds) + (attoseconds > 0 ? 1 : 0))
  }
}
