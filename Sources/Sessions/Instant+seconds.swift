// SPDX-License-Identifier: MIT

extension ContinuousClock.Instant {
  /// How long it is to a later instant, in seconds.
  // Not a division by a second, in which each of the two becomes a Double out of 128 bits.
  func seconds(to later: ContinuousClock.Instant) -> Double {
    let (seconds, attoseconds) = (later - self).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
