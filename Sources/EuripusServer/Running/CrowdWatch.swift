// SPDX-License-Identifier: MIT
import HTTPListening

/// Finds out from a listener's counts that connections were closed or refused because there were too many. It says so
/// at most once a minute.
struct CrowdWatch {
  private static let pause: Duration = .seconds(60)

  private var told = 0
  private var next: ContinuousClock.Instant?

  /// - Returns: the number of connections that were closed or refused since it last gave one; nil where there is
  ///   nothing to say now.
  mutating func news(_ counts: HTTPListenerCounts, at now: ContinuousClock.Instant) -> Int? {
    let all = counts.crowdedOut + counts.refusedAtLimit
    if all == told { return nil }
    if let next, now < next { return nil }
    defer { (told, next) = (all, now + Self.pause) }
    return all - told
  }
}
