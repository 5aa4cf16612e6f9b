// SPDX-License-Identifier: MIT

extension ContinuousClock.Instant {
  /// How long it is to a later instant, in seconds.
  func seconds(to later: ContinuousClock.Instant) -> Double {
    let span = later - self
    // Nine seconds are within 64 bits, which are faster made a Double than 128.
    guard let attoseconds = Int64(exactly: span.attoseconds) else { return span / .seconds(1) }
    return Double(attoseconds) / 1e18
  }
}
