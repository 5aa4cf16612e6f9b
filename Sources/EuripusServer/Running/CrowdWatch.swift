// SPDX-License-Identifier: MIT
import HTTPListening

/// Finds out from a listener's counts that connections were closed or refused because there were too many. It looks
/// once a second, and says so at most once a minute.
struct CrowdWatch {
  private static let lookPause: Duration = .seconds(1)
  private static let pause: Duration = .seconds(60)

  private var told = 0
  private var next: ContinuousClock.Instant?

  /// - Parameter counts: the listener's, which are summed up over its loops only if it is time to look.
  /// - Returns: the number of connections that were closed or refused since it last gave one, with the counts; nil
  ///   where there is nothing to say now.
  mutating func news(
    _ counts: @autoclosure () -> HTTPListenerCounts, at now: ContinuousClock.Instant
  ) -> (closed: Int, counts: HTTPListenerCounts)? {
    if let next, now < next { return nil }
    let counts = counts()
    let all = counts.crowdedOut + counts.refusedAtLimit
    let closed = all - told
    if closed == 0 {
      next = now + Self.lookPause
      return nil
    }
    (told, next) = (all, now + Self.pause)
    return (closed, counts)
  }
}
